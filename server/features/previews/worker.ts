import { Console } from 'node:console'
import { Worker } from 'node:worker_threads'
import { DescriptorFile } from './file-from-descriptor.ts'
import type { Watched } from './memory-watch.ts'
import { type Answer, ByteReader, type Job, packAnswer, packHead, READY, readJob } from './messages.ts'
import { Locked, TooLarge } from './renderers/decoder.ts'
import { RENDERERS } from './renderers/index.ts'
import { openSource } from './renderers/source.ts'
import { scale } from './resize.ts'

// A process that makes previews of the files it receives, one after the other, until its input ends.

// A terminal's Ctrl+C and a service manager's stop reach this process, too; it ends when its server has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => {})
// Output of decoders must not mix with the answers.
globalThis.console = new Console({ stdout: process.stderr })
const busy = watchMemory(Number(process.argv[2]))

const reader = new ByteReader(process.stdin)
process.stdout.write(Buffer.of(READY))
try {
  for (;;) {
    const job = await readJob(reader)
    setBusy(1)
    const made = await answer(job)
    setBusy(0)
    process.stdout.write(packAnswer(made))
  }
} catch {
  process.exit()
}

async function answer({ renderer, length, file, ...options }: Job): Promise<Answer> {
  const entry = RENDERERS.find(({ name }) => name === renderer)
  if (!entry) throw new Error('no such renderer')
  const own = file === undefined ? undefined : DescriptorFile.open(file)
  let isFirst = true
  const fetch = (start: number, bytes: number) => {
    if (own && !isFirst) process.stdout.write(packHead({ kind: 'reading' }))
    isFirst = false
    return (own && readOwn(own, start, bytes)) ?? ask(start, bytes)
  }
  try {
    const { open } = await entry.load()
    return await scale(
      await open(
        openSource(length, async (start, bytes) => fetch(start, bytes)),
        options,
      ),
      options,
    )
  } catch (thrown) {
    return { kind: 'refused', code: codeOf(thrown) }
  } finally {
    own?.close()
  }
}

function codeOf(thrown: unknown) {
  if (thrown instanceof TooLarge) return 'body_too_large'
  return thrown instanceof Locked ? 'encrypted' : 'undecodable'
}

function readOwn(file: DescriptorFile, start: number, length: number): Buffer | undefined {
  const bytes = file.read(start, length)
  process.stdout.write(packHead({ kind: 'has_read' }))
  return bytes
}

function ask(start: number, length: number): Promise<Buffer> {
  process.stdout.write(packHead({ kind: 'read', start, length }))
  return reader.take(length)
}

/** Decoders allocate outside the V8 heap, so heap limits do not apply to them. */
function watchMemory(most: number): Watched['busy'] {
  const watched: Watched = { most, busy: new Int32Array(new SharedArrayBuffer(4)) }
  const watch = new Worker(new URL('./memory-watch.ts', import.meta.url), { workerData: watched })
  // A decoder may block this thread indefinitely; the watch has a thread of its own.
  watch.unref()
  return watched.busy
}

function setBusy(value: 0 | 1): void {
  Atomics.store(busy, 0, value)
  Atomics.notify(busy, 0)
}
