// Calls the kernel with random arguments until the time is over, while signals arrive: started as a process, so that a
// crash is seen. Arguments: the seed, and seconds. Prints `ready`, and at the end the number of calls.
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf } from '../../server/storage/local/errno.ts'
import { kernelState } from '../../server/storage/local/kernel/open-kernel.ts'
import { Dice } from './dice.ts'

const [seed = 0, seconds = 1] = process.argv.slice(2).map(Number)
const dice = new Dice(seed)
const { calls: kernel, missing } = kernelState()
if (!kernel) throw new Error(missing)

process.on('SIGUSR2', () => {})
process.stdout.write('ready ')
const server = createServer(socket => socket.on('error', () => {}).on('end', () => socket.end())).listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
const { port } = server.address() as { port: number }

const numberOf = () =>
  dice.pick<number>([
    dice.below(40),
    dice.below(40),
    -1 - dice.below(5),
    dice.below(2 ** 31),
    2 ** (20 + dice.below(60)),
    dice.roll(),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    undefined as never,
    'text' as never,
    { valueOf: () => 3 } as never,
    3n as never,
  ])
const nameOf = () =>
  dice.pick<string>([
    '.',
    '..',
    '',
    'passwd',
    'a\0b',
    'a/b',
    '\uDCFF'.repeat(dice.below(5000)),
    'ä'.repeat(dice.below(6000)),
    dice.bytes(dice.below(300)).toString('latin1'),
    7 as never,
  ])

/** Names of this program's own folder alone are changed. */
const place = mkdtempSync(join(tmpdir(), 'kernel-calls-'))
const placed = openSync(place, 'r')
const spotOf = () => ({ folder: dice.pick([placed, placed, -1, 2 ** 30, 2 ** 40]), name: nameOf() })

const own = { files: [] as number[], sockets: [] as Socket[] }
const fdOf = (socket: Socket) => (socket as { _handle?: { fd?: number } })._handle?.fd ?? -1
/** Descriptors of the process itself, such as those of its event loop, are not to be written to. */
const targetOf = () => dice.pick([...own.sockets.map(fdOf), ...own.files, -1, 2 ** 30, numberOf()])
const isOurs = (target: unknown) => [...own.files, ...own.sockets.map(fdOf)].includes(target as number)
const isFree = (target: unknown) =>
  typeof target !== 'number' || target < 0 || target > 1000 || !Number.isInteger(target)

const actions = [
  () => own.files.push(openSync(dice.pick(['/etc/passwd', '/', process.execPath, '/dev/null']), 'r')),
  () => {
    const [file] = own.files.splice(dice.below(own.files.length), 1)
    if (file !== undefined) closeSync(file)
  },
  () =>
    own.sockets.push(
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .setNoDelay(),
    ),
  () => own.sockets.splice(dice.below(own.sockets.length), 1)[0]?.destroy(),
  () => {
    const file = dice.pick([...own.files, numberOf()])
    if (own.files.includes(file) || isFree(file)) own.files.push(kernel.duplicate(file))
  },
  () => own.files.push(kernel.memoryFile(nameOf())),
  () => kernel.isCached(dice.pick([...own.files, numberOf()]), numberOf()),
  () => {
    const target = targetOf()
    if (isOurs(target) || isFree(target))
      kernel.sendFile(target, dice.pick([...own.files, numberOf()]), numberOf(), Math.min(numberOf(), 2 ** 22))
  },
  () => {
    const target = targetOf()
    const from = dice.pick([...own.files, numberOf()])
    if (isOurs(target) || isFree(target)) kernel.copyRange(from, target, numberOf(), Math.min(numberOf(), 2 ** 22))
  },
  () => kernel.awaitRoom(Array.from({ length: dice.below(400) }, targetOf), dice.below(3)),
  () => {
    const path = kernel.openCached(
      dice.pick([nameOf(), `/etc/${nameOf()}`, Buffer.from(`/${nameOf()}`), '/etc/passwd']),
    )
    if (typeof path === 'number') own.files.push(path)
  },
  () => closeSync(openSync(join(place, 'passwd'), 'a')),
  () => kernel.renameNew(spotOf(), spotOf()),
  () => kernel.exchange(spotOf(), spotOf()),
  () => kernel.link(dice.pick([...own.files, numberOf()]), spotOf()),
  () => kernel.statAt(dice.pick([...own.files, numberOf()]), nameOf()),
  () => kernel.eachChild(dice.pick([...own.files, numberOf()]), name => kernel.statAt(0, name)),
  () => kernel.attribute(dice.pick([...own.files, numberOf()]), dice.pick([nameOf(), `user.${nameOf()}`])),
]

let count = 0
for (const until = performance.now() + seconds * 1000; performance.now() < until; count++) {
  try {
    dice.pick(actions)()
  } catch (thrown) {
    if (errnoOf(thrown) === '' && !(thrown instanceof TypeError)) throw thrown
  }
  if (own.files.length > 60) for (const file of own.files.splice(0)) closeSync(file)
  if (own.sockets.length > 30) for (const socket of own.sockets.splice(0)) socket.destroy()
  if (count % 200 === 0) await pause(1)
}
rmSync(place, { recursive: true })
process.stdout.write(String(count))
process.exit(0)
