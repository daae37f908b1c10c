import { type Answer, ByteReader, type Job, packAnswer, READY, readJob } from './messages.ts'
import { TooLarge } from './renderers/decoder.ts'
import { RENDERERS } from './renderers/index.ts'
import { scale } from './scale.ts'

// A process that makes previews of pictures it is handed, one after the other, until nobody hands it any.

const WATCH_EVERY = 20
const most = Number(process.argv[2])

// Decoders keep their memory outside the runtime's heap, which is all the runtime itself could limit.
setInterval(() => {
  if (process.memoryUsage.rss() > most) process.kill(process.pid, 'SIGKILL')
}, WATCH_EVERY).unref()
// A terminal's Ctrl+C and a service manager's stop reach this process, too; it ends when its server has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const reader = new ByteReader(process.stdin)
process.stdout.write(Buffer.of(READY))
try {
  for (;;) {
    const job = await readJob(reader)
    process.stdout.write(packAnswer(await answer(job, await reader.take(job.length))))
  }
} catch {
  process.exit()
}

async function answer({ renderer, size }: Job, source: Buffer): Promise<Answer> {
  const entry = RENDERERS.find(({ name }) => name === renderer)
  if (!entry) throw new Error('no such renderer')
  const { open } = await entry.load()
  try {
    return await scale(open(source), size)
  } catch (thrown) {
    return { kind: 'refused', code: thrown instanceof TooLarge ? 'body_too_large' : 'undecodable' }
  }
}
