import { Console } from 'node:console'
import { Worker } from 'node:worker_threads'
import { type Answer, ByteReader, type Job, packAnswer, packHead, READY, readJob } from './messages.ts'
import { OwnFile } from './own-file.ts'
import { TooLarge } from './renderers/decoder.ts'
import { RENDERERS } from './renderers/index.ts'
import { openSource } from './renderers/source.ts'
import { scale } from './scale.ts'

// A process that makes previews of files it is handed, one after the other, until nobody hands it any.

// A terminal's Ctrl+C and a service manager's stop reach this process, too; it ends when its server has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// What decoders have to say must not get between the answers.
globalThis.console = new Console({ stdout: process.stderr })
watchMemory(Number(process.argv[2]))

const reader = new ByteReader(process.stdin)
process.stdout.write(Buffer.of(READY))
try {
  for (;;) process.stdout.write(packAnswer(await answer(await readJob(reader))))
} catch {
  process.exit()
}

async function answer({ renderer, length, file, ...wish }: Job): Promise<Answer> {
  const entry = RENDERERS.find(({ name }) => name === renderer)
  if (!entry) throw new Error('no such renderer')
  const own = file === undefined ? undefined : OwnFile.open(file)
  const fetch = (start: number, bytes: number) => (own && readOwn(own, start, bytes)) ?? ask(start, bytes)
  try {
    const { open } = await entry.load()
    return await scale(
      await open(
        openSource(length, async (start, bytes) => fetch(start, bytes)),
        wish,
      ),
      wish,
    )
  } catch (thrown) {
    return { kind: 'refused', code: thrown instanceof TooLarge ? 'body_too_large' : 'undecodable' }
  } finally {
    own?.close()
  }
}

function readOwn(file: OwnFile, start: number, length: number): Buffer | undefined {
  process.stdout.write(packHead({ kind: 'reading' }))
  const bytes = file.read(start, length)
  process.stdout.write(packHead({ kind: 'has_read' }))
  return bytes
}

function ask(start: number, length: number): Promise<Buffer> {
  process.stdout.write(packHead({ kind: 'read', start, length }))
  return reader.take(length)
}

/** Decoders keep their memory outside the runtime's heap, which is all the runtime itself could limit. */
function watchMemory(most: number): void {
  const watch = new Worker(new URL('./memory-watch.ts', import.meta.url), { argv: [String(most)] })
  // A decoder may hold this thread, and its process, for as long as it likes; a thread of its own looks all the same.
  watch.unref()
}
