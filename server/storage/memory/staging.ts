import { randomUUID } from 'node:crypto'
import type { FilePath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import { goodOf } from '../appending.ts'
import { holdErrors, receive } from '../body.ts'
import type { AppendOptions, Entry, Staging, WriteOptions } from '../driver.ts'

/** What staging needs of its store. */
export interface StagingHost {
  /** Throws what prevents a file at a path. */
  demandPlace(file: FilePath): void
  publish(file: FilePath, data: Buffer, how: WriteOptions): Entry
}

/** Staged files in memory; parts are written at once, so `kept` is called at the end only. */
export function memoryStaging(files: Map<string, Buffer>, host: StagingHost): Staging {
  const demand = (staged: string): Buffer => {
    const data = files.get(staged)
    if (!data) throw new AppError('not_found')
    return data
  }
  return {
    async open(file) {
      host.demandPlace(file)
      const staged = randomUUID()
      files.set(staged, Buffer.alloc(0))
      return staged
    },
    async append(staged, at, body, how) {
      holdErrors(body)
      const before = demand(staged)
      if (before.length < at) throw new AppError('unavailable')
      const pieces = [before.subarray(0, at)]
      const keep = (good?: number) => {
        const data = Buffer.concat(pieces).subarray(0, good === undefined ? undefined : at + good)
        files.set(staged, data)
        return how.kept(data.length)
      }
      try {
        await takePieces(body, how, pieces)
      } catch (thrown) {
        await keep(goodOf(how, asAppError(thrown)))
        throw thrown
      }
      await keep()
    },
    async publish(staged, file, how) {
      const data = demand(staged)
      if (data.length !== how.length) throw new AppError('incomplete_body')
      how.check?.piece(data)
      how.check?.end()
      const decide = async () => host.publish(file, data, how)
      const entry = await (how.publish ? how.publish(decide) : decide())
      files.delete(staged)
      return entry
    },
    async discard(staged) {
      files.delete(staged)
    },
  }
}

async function takePieces(body: Parameters<typeof receive>[0], how: AppendOptions, pieces: Buffer[]): Promise<void> {
  let received = 0
  await receive(body, { ...how, partial: true }, async piece => {
    received += piece.length
    if (received > how.most) throw new AppError('body_too_large')
    pieces.push(piece)
    how.check?.piece(piece)
  })
  how.check?.end()
}
