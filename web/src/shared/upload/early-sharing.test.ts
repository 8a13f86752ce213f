import { describe, expect, it } from 'vitest'
import { scriptDraft } from '../../testing/scripted-upload.ts'
import type { Sharing } from './complete-share.ts'
import { createUploadJob } from './upload-job.ts'

const receipt = { id: 'final', name: null, expiration: '', description: null }

/** A draft of these files, what its sharing was asked for, and how it responds. */
function begin(...names: string[]) {
  const draft = scriptDraft('draft', ...names)
  const log: string[] = []
  const responses: { open: Promise<typeof receipt> } = { open: Promise.resolve(receipt) }
  const sharing: Sharing = {
    finish: async () => {
      log.push('finish')
      return receipt
    },
    open: ({ fileCount, size, files }) => {
      log.push(`open ${fileCount} ${size} ${files.map(({ name }) => name).join(' ')}`)
      return responses.open
    },
  }
  return { ...draft, sharing, log, transfers: draft.log, responses }
}

describe('a link that is shared while files are sent', () => {
  it('is there at once, the upload goes on, and the share is finished by itself', async () => {
    const { job, sharing, log, eventsOf } = begin('a', 'b')
    eventsOf('a').onDone()
    await expect.poll(() => job.session.getSnapshot().doneCount).toBe(1)
    job.share(sharing)
    expect(job.getStage()).toEqual({ name: 'uploading', canOpen: true, opened: null })
    job.open()
    expect(job.getStage()).toEqual({ name: 'opening' })
    await expect.poll(job.getStage).toEqual({ name: 'uploading', canOpen: false, opened: receipt })
    expect(log).toEqual(['open 2 2000 b'])
    eventsOf('b').onDone()
    await expect.poll(job.getStage).toEqual({ name: 'finished', receipt })
    expect(log).toEqual(['open 2 2000 b', 'finish'])
  })

  it('is finished when the last byte came while it was opened', async () => {
    const { job, sharing, eventsOf } = begin('a')
    job.share(sharing)
    job.open()
    eventsOf('a').onDone()
    await expect.poll(job.getStage).toEqual({ name: 'finished', receipt })
  })

  it('says why it could not be, as the draft it still is', async () => {
    const { job, sharing, responses } = begin('a')
    const error = new Error('taken')
    responses.open = Promise.reject(error)
    job.share(sharing)
    job.open()
    await expect.poll(job.getStage).toEqual({ name: 'draft', error })
  })

  it('announces less once a file is taken out', async () => {
    const { job, sharing, log } = begin('a', 'b', 'c')
    job.share(sharing)
    job.open()
    await expect.poll(() => job.getStage().name).toBe('uploading')
    job.session.cancel('b')
    await expect.poll(() => log).toEqual(['open 3 3000 a b c', 'open 2 2000 a c'])
  })

  it('is not opened before somebody decided about the draft, nor twice', async () => {
    const { job, sharing, log } = begin('a')
    job.open()
    expect(log).toEqual([])
    job.share(sharing)
    job.open()
    job.open()
    await expect.poll(() => job.getStage().name).toBe('uploading')
    job.open()
    expect(log).toHaveLength(1)
  })

  it('cannot be taken back by a failure at the end, which is tried again', async () => {
    const { job, sharing, eventsOf } = begin('a')
    let isAway = true
    const finish = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(receipt))
    job.share({ ...sharing, finish })
    job.open()
    await expect.poll(() => job.getStage().name).toBe('uploading')
    eventsOf('a').onDone()
    await expect.poll(() => job.getStage().name).toBe('finishFailed')
    isAway = false
    job.finish()
    await expect.poll(() => job.getStage().name).toBe('finished')
  })

  it('is known when its upload is continued', () => {
    const { session } = scriptDraft('final', 'a').job
    const { sharing } = begin()
    const job = createUploadJob({ session, name: 'a', reopened: { sharing, receipt } })
    expect(job.getStage()).toEqual({ name: 'uploading', canOpen: false, opened: receipt })
  })
})

describe('an upload whose share gets another link', () => {
  it('sends again what was refused under the old one, before and after it knows the new one', async () => {
    const { job, transfers, eventsOf } = begin('a', 'b', 'c')
    const { session } = job
    eventsOf('a').onFailure('gone')
    eventsOf('c').onFailure('tooLarge')
    session.moveTo('final')
    expect(session.shareId).toBe('final')
    expect(transfers.slice(3)).toEqual(['start a'])
    eventsOf('b').onFailure('gone')
    expect(transfers.slice(3)).toEqual(['start a', 'start b'])
    eventsOf('a').onFailure('gone')
    await expect.poll(() => session.getSnapshot().failedCount).toBe(2)
    expect(transfers).toHaveLength(5)
  })
})
