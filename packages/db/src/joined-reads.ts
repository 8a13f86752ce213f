interface Reading<Row> {
  current: Promise<Row>
  next: Promise<Row> | undefined
}

/**
 * Reads of the same key that are asked for at the same moment share one. What is asked for while a
 * read is under way waits for the next, because the running one may have begun before a change that
 * its caller has to see.
 */
export function createJoinedReads<Args extends unknown[], Row>(
  read: (...args: Args) => Promise<Row>,
): (key: string, ...args: Args) => Promise<Row> {
  const readings = new Map<string, Reading<Row>>()

  function begin(key: string, args: Args): Promise<Row> {
    const reading: Reading<Row> = { current: read(...args), next: undefined }
    readings.set(key, reading)
    const end = () => {
      if (reading.next === undefined) readings.delete(key)
    }
    reading.current.then(end, end)
    return reading.current
  }

  return (key, ...args) => {
    const reading = readings.get(key)
    if (reading === undefined) return begin(key, args)
    const beginNext = () => begin(key, args)
    reading.next ??= reading.current.then(beginNext, beginNext)
    return reading.next
  }
}
