import { describe, expect, it } from 'vitest'
import type { Sharing } from './complete-share.ts'
import type { FileEntry } from './file-entry.ts'
import type { TransferEngine, TransferEvents } from './transfer.ts'
import { createUploadJob } from './upload-job.ts'
import { type QueuedFile, toQueuedFile } from './upload-item.ts'
import { createUploadSession } from './upload-session.ts'

function entry(name: string, sizeBytes = 2_000_000): FileEntry {
  return { key: name, file: new File(['x'], name), name, relativePath: null, sizeBytes }
}

function createEngine(isOnline: { value: boolean }) {
  const running = new Map<string, TransferEvents>()
  const log: string[] = []
  const engine: TransferEngine = {
    start({ entry: { key }, url, events }) {
      running.set(key, events)
      log.push(`start ${key} ${url ?? 'new'}`)
      return {
        pause: () => void log.push(`pause ${key}`),
        resume: () => void log.push(`resume ${key}`),
        cancel: () => void log.push(`cancel ${key}`),
      }
    },
    startBatch(files) {
      log.push(`together ${files.map(({ entry: { key } }) => key).join(' ')}`)
      for (const { entry, events } of files) running.set(entry.key, events)
      return files.map(({ entry: { key } }) => ({
        pause: () => void log.push(`pause ${key}`),
        resume: () => void log.push(`resume ${key}`),
        cancel: () => void log.push(`cancel ${key}`),
      }))
    },
    remove: ({ fileId, url }) => {
      log.push(`remove ${url ?? fileId}`)
      return isOnline.value ? Promise.resolve() : Promise.reject(new Error('offline'))
    },
    settled: () => Promise.resolve(),
    close: () => void log.push('close'),
  }
  return { engine, running, log }
}

function startSession(files: QueuedFile[], whenIdle?: (act: () => void) => void) {
  const isOnline = { value: true }
  const { engine, running, log } = createEngine(isOnline)
  const recorded: string[] = []
  const session = createUploadSession({
    share: { id: 's' },
    files,
    engine,
    recorder: {
      recordUrl: (key, url) => void recorded.push(`${key} at ${url}`),
      recordOffset: () => undefined,
      recordSealed: () => undefined,
      recordDone: (key) => void recorded.push(`${key} done`),
      recordRemoved: (key) => void recorded.push(`${key} removed`),
    },
    now: () => 0,
    ...(whenIdle && { whenIdle }),
  })
  const settle = () => new Promise<void>((resolve) => void session.subscribe(resolve))
  return { session, running, log, recorded, settle, isOnline }
}

const fresh = (...names: string[]) => names.map((name) => toQueuedFile(entry(name)))

describe('an upload session', () => {
  it('sends five files at once and the next when one is done', () => {
    const { running, log } = startSession(fresh('a', 'b', 'c', 'd', 'e', 'f', 'g'))
    expect(log).toHaveLength(5)
    running.get('c')?.onDone()
    expect(log.at(-1)).toBe('start f new')
  })

  it('sends small files together, past the large ones between them, and each by its own state', () => {
    const small = (name: string) => toQueuedFile(entry(name, 10))
    const { session, running, log } = startSession([
      small('a'),
      toQueuedFile(entry('large')),
      small('b'),
      { ...small('c'), url: '/api/uploads/1' },
      small('d'),
    ])
    expect(log).toEqual(['together a b d', 'start large new', 'start c /api/uploads/1'])
    running.get('a')?.onDone()
    running.get('b')?.onFailure('tooLarge')
    session.retry('b')
    expect(log.at(-1)).toBe('together b')
  })

  it('sends nothing whose name no server takes, and the others as ever', async () => {
    const deep = 'folder/'.repeat(150)
    const { session, log, settle } = startSession([
      ...['a', 'é'.repeat(128), 'b'].map((name) => toQueuedFile(entry(name, 10))),
      toQueuedFile({ ...entry('deep'), relativePath: `${deep}c` }),
    ])
    expect(log).toEqual(['together a b'])
    session.retry('deep')
    expect(log).toEqual(['together a b'])
    await settle()
    const tooLong = { state: 'failed', failure: 'nameTooLong' }
    const [, accents, , below] = session.getSnapshot().rows
    expect([accents, below]).toMatchObject([tooLong, tooLong])
  })

  it('sends at most 4 MiB and 500 files together', () => {
    const names = Array.from({ length: 1200 }, (_, index) => `f${index}`)
    const many = startSession(names.map((name) => toQueuedFile(entry(name, 10))))
    expect(many.log.map((line) => line.split(' ').length - 1)).toEqual([500, 500, 200])
    const big = names.slice(0, 10).map((name) => toQueuedFile(entry(name, 1_000_000)))
    expect(startSession(big).log.map((line) => line.split(' ').length - 1)).toEqual([4, 4, 2])
  })

  it('begins a file only when the page has a moment for it, and none once it is closed', () => {
    const moments: (() => void)[] = []
    const pass = () => moments.shift()?.()
    const { session, running, log } = startSession(fresh('a', 'b', 'c'), (act) => moments.push(act))
    expect(log).toEqual([])
    session.cancel('b')
    pass()
    pass()
    expect(log).toEqual(['start a new', 'start c new'])
    expect(moments).toEqual([])

    const other = startSession(fresh('d', 'e'), (act) => moments.push(act))
    pass()
    running.get('a')?.onDone()
    other.session.close()
    pass()
    expect(other.log).toEqual(['start d new', 'close'])
  })

  it('continues an upload begun earlier at its address', () => {
    const { log } = startSession([{ ...toQueuedFile(entry('a')), url: '/api/uploads/1' }])
    expect(log).toEqual(['start a /api/uploads/1'])
  })

  it('begins anew, on request, a file that the server no longer knows', () => {
    const { session, running, log } = startSession([
      { ...toQueuedFile(entry('a')), url: '/api/uploads/1' },
    ])
    running.get('a')?.onFailure('gone')
    session.retry('a')
    expect(log).toEqual(['start a /api/uploads/1', 'start a new'])
  })

  it('begins anew, on request, a file that has changed, once its old upload is deleted', async () => {
    const { session, running, log, settle } = startSession([
      { ...toQueuedFile(entry('a')), url: '/api/uploads/1' },
    ])
    running.get('a')?.onCompared(700)
    await settle()
    expect(session.getSnapshot().rows[0]).toMatchObject({ state: 'comparing', uploadedBytes: 700 })
    running.get('a')?.onFailure('changed')
    await settle()
    const [row] = session.getSnapshot().rows
    expect(row).toMatchObject({ state: 'failed', failure: 'changed', uploadedBytes: 0 })
    session.retry('a')
    await expect
      .poll(() => log)
      .toEqual(['start a /api/uploads/1', 'remove /api/uploads/1', 'start a new'])
  })

  it('deletes what the server has of a file that is taken out while it is not sent', () => {
    const begun = (name: string) => ({ ...toQueuedFile(entry(name)), url: `/uploads/${name}` })
    const { session, running, log } = startSession(['a', 'b', 'c', 'd', 'e', 'f'].map(begun))
    running.get('a')?.onFailure('unreadable')
    session.cancel('a')
    session.pauseAll()
    running.get('b')?.onFailure('changed')
    session.cancel('b')
    expect(log.filter((line) => line.startsWith('remove'))).toEqual([
      'remove /uploads/a',
      'remove /uploads/b',
    ])
  })

  it('gives the place of a paused file to another', () => {
    const { session, log } = startSession(fresh('a', 'b', 'c', 'd', 'e', 'f'))
    session.pause('a')
    expect(log.slice(-2)).toEqual(['pause a', 'start f new'])
  })

  it('starts nothing while everything is paused', () => {
    const { session, running, log } = startSession(fresh('a', 'b', 'c', 'd', 'e', 'f'))
    session.pauseAll()
    running.get('a')?.onDone()
    expect(log).not.toContain('start f new')
    session.resumeAll()
    expect(log).toContain('start f new')
  })

  it('remembers where each file is and forgets the ones taken out', () => {
    const { session, running, recorded } = startSession(fresh('a', 'b'))
    running.get('a')?.onUrl('/u/1')
    running.get('a')?.onDone()
    session.cancel('b')
    expect(recorded).toEqual(['a at /u/1', 'a done', 'b removed'])
  })

  it('closed leaves the uploads on the server, ended takes the unfinished ones along', () => {
    const closed = startSession(fresh('a', 'b'))
    closed.session.close()
    expect(closed.log.slice(2)).toEqual(['close'])

    const ended = startSession(fresh('a', 'b', 'c', 'd', 'e', 'f'))
    ended.running.get('a')?.onDone()
    ended.session.end()
    expect(ended.log.slice(-6)).toEqual([
      'cancel b',
      'cancel c',
      'cancel d',
      'cancel e',
      'cancel f',
      'close',
    ])
  })
})

describe('the rows of an upload session', () => {
  it('are a thousand files, those that need a look or are under way first', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `f${index}`)
    const { session, running, settle } = startSession(fresh(...names))
    running.get('f0')?.onDone()
    running.get('f3')?.onFailure('unknown')
    await settle()
    const { rows, ...counts } = session.getSnapshot()
    expect(rows).toHaveLength(1_000)
    const keys = rows.map(({ key }) => key)
    expect(keys.slice(0, 9)).toEqual(['f3', 'f1', 'f2', 'f4', 'f5', 'f6', 'f0', 'f7', 'f8'])
    expect(counts).toMatchObject({ fileCount: 1_000, doneCount: 1, failedCount: 1 })
  })

  it('are the same object for a file as long as nothing about it changes', async () => {
    const { session, running, settle } = startSession(fresh('a', 'b', 'c'))
    await settle()
    const before = session.getSnapshot().rows
    running.get('b')?.onProgress(4)
    await settle()
    const after = session.getSnapshot().rows
    expect(after.map((row, index) => row === before[index])).toEqual([true, false, true])
    expect(after[1]).toMatchObject({ key: 'b', uploadedBytes: 4, state: 'uploading' })
  })
})

describe('an upload job', () => {
  const receipt = { id: 's', name: null, expiration: '', description: null }

  it('finishes the share once, after the last file', async () => {
    const { session, running } = startSession(fresh('a', 'b'))
    let finished = 0
    const job = createUploadJob({
      session,
      name: 'Holiday',
      finish: async () => {
        finished += 1
        return receipt
      },
    })
    const done = new Promise<void>((resolve) => {
      job.subscribe(() => job.getStage().name === 'finished' && resolve())
    })
    running.get('a')?.onDone()
    expect(finished).toBe(0)
    running.get('b')?.onDone()
    await done
    expect(finished).toBe(1)
  })

  it('can try the last step again', async () => {
    const { session } = startSession([])
    let tries = 0
    const job = createUploadJob({
      session,
      name: 'Holiday',
      finish: async () => {
        tries += 1
        if (tries === 1) throw new Error('away')
        return receipt
      },
    })
    expect(job.getStage().name).toBe('empty')
    job.finish()
    await new Promise<void>((resolve) => {
      job.subscribe(() => job.getStage().name === 'finishFailed' && resolve())
    })
    job.finish()
    await new Promise<void>((resolve) => {
      job.subscribe(() => job.getStage().name === 'finished' && resolve())
    })
    expect(tries).toBe(2)
  })
})

describe('a session that files are added to and taken out of', () => {
  const keys = (session: { entries(): { key: string }[] }) =>
    session.entries().map(({ key }) => key)

  it('sends what is added, once, and puts it where it is told to', () => {
    const { session, running, log } = startSession(fresh('a', 'b'))
    session.add(fresh('c'))
    session.add(fresh('d'), ['a', 'd', 'b', 'c'])
    expect(log).toEqual(['start a new', 'start b new', 'start c new', 'start d new'])
    expect(keys(session)).toEqual(['a', 'd', 'b', 'c'])
    running.get('d')?.onDone()
    expect(session.getSnapshot().rows.map(({ key }) => key)).toEqual(['a', 'd', 'b', 'c'])
    expect(session.getSnapshot().fileCount).toBe(4)
  })

  it('does not begin a file twice that was removed before its turn and came back', () => {
    const { session, running, log } = startSession(fresh('a', 'b', 'c', 'd', 'e', 'f'))
    session.remove(['f'])
    session.add(fresh('f'))
    for (const key of ['a', 'b']) running.get(key)?.onDone()
    expect(log.filter((line) => line === 'start f new')).toHaveLength(1)
  })

  it('deletes from the share what has arrived, and only cancels what has not', async () => {
    const files = fresh('a', 'b', 'c')
    const { session, running, log, recorded } = startSession(files)
    running.get('a')?.onUrl('/uploads/a')
    running.get('a')?.onDone()
    running.get('b')?.onDone()
    session.remove(['a', 'b', 'c'])
    await session.settled()
    expect(log.slice(3)).toEqual(['remove /uploads/a', `remove ${files[1]?.fileId}`, 'cancel c'])
    expect(recorded).toContain('a removed')
    expect(session.entries()).toEqual([])
  })

  it('is not settled before what was removed is gone, and tries again', async () => {
    const { session, running, log, isOnline } = startSession(fresh('a', 'b'))
    running.get('a')?.onDone()
    isOnline.value = false
    session.remove(['a'])
    await expect(session.settled()).rejects.toThrow('offline')
    isOnline.value = true
    await session.settled()
    expect(log.filter((line) => line.startsWith('remove'))).toHaveLength(3)
    await session.settled()
    expect(log.filter((line) => line.startsWith('remove'))).toHaveLength(3)
  })
})

describe('a draft', () => {
  const receipt = { id: 'final', name: null, expiration: '', description: null }
  const sharing = (changes: Partial<Sharing> = {}): Sharing => ({
    finish: async () => receipt,
    open: async () => receipt,
    ...changes,
  })

  it('waits with everything sent until somebody shares it', async () => {
    const { session, running } = startSession(fresh('a'))
    const job = createUploadJob({ session, name: 'a' })
    running.get('a')?.onDone()
    await session.settled()
    expect(job.getStage()).toEqual({ name: 'draft', error: null })
    job.share(sharing())
    await expect.poll(job.getStage).toEqual({ name: 'finished', receipt })
  })

  it('that is shared early finishes by itself behind the last byte', async () => {
    const { session, running } = startSession(fresh('a'))
    const job = createUploadJob({ session, name: 'a' })
    job.share(sharing())
    expect(job.getStage()).toMatchObject({ name: 'uploading', canOpen: true, opened: null })
    running.get('a')?.onDone()
    await expect.poll(job.getStage).toEqual({ name: 'finished', receipt })
  })

  it('is not shared without the file that was added a moment before', () => {
    const { session, running } = startSession(fresh('a'))
    const job = createUploadJob({ session, name: 'a' })
    running.get('a')?.onDone()
    session.add(fresh('b'))
    job.share(sharing())
    expect(job.getStage()).toMatchObject({ name: 'uploading', canOpen: true, opened: null })
  })

  it('that cannot be shared is a draft again, says why, and can be shared once more', async () => {
    const { session, running } = startSession(fresh('a'))
    const job = createUploadJob({ session, name: 'a' })
    running.get('a')?.onDone()
    const error = new Error('taken')
    job.share(sharing({ finish: () => Promise.reject(error) }))
    await expect.poll(job.getStage).toEqual({ name: 'draft', error })
    job.share(sharing())
    await expect.poll(job.getStage).toEqual({ name: 'finished', receipt })
  })
})
