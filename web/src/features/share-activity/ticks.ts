const MOST_STEPS = 4

/** Whole numbers from 0 up to at least `max`, in steps of 1, 2 or 5 times a power of ten. */
export function chooseTicks(max: number): number[] {
  const least = Math.max(1, max) / MOST_STEPS
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least) ?? power
  const count = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** Which of so many places bear a label: about `wanted`, evenly apart, the last one always. */
export function chooseLabels(places: number, wanted: number): number[] {
  const apart = Math.max(1, Math.ceil(places / wanted))
  const labels: number[] = []
  for (let place = places - 1; place >= 0; place -= apart) labels.unshift(place)
  return labels
}
