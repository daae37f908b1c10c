import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { LIMITS } from '../limits.ts'
import type { Environment } from './environment.ts'
import type { Enclosure, Hidden } from './sandbox-spec.ts'

/** What everything that runs in one sandbox may use, beside its time and its output. */
export const SANDBOX_LIMITS = {
  /** Processes and their threads. */
  tasks: LIMITS.sandboxTasks,
  /** Bytes of data of each process. */
  data: LIMITS.sandboxData,
  /** Bytes of memory of all of them together. */
  memory: LIMITS.sandboxMemory,
  /** Bytes in each of the folders for temporary files. */
  temporary: LIMITS.sandboxFiles,
} as const

/** Descriptors of the sandbox's folder, and of a socket over which the server lets the program begin. */
const FOLDER_FD = 3
export const GATE_FD = 4

/**
 * What the first program of a sandbox does: it waits until the sandbox is sure to end with the server, asks the server,
 * and becomes the program when that answers. Bubblewrap arranges that end (`--die-with-parent`) a while after its own
 * start, and last in the first process of the sandbox, which sleeps from then on; of a death before that the system does
 * not tell.
 */
const GATE = [
  'while read -r _ _ state _ </proc/1/stat && [ "$state" != S ]; do :; done',
  `echo >&${GATE_FD} && read -r _ <&${GATE_FD} && exec "$@" ${GATE_FD}>&-`,
].join('\n')

/** Where programs and what they are made of lie; the first is a folder everywhere, the others may be links into it. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** What the loader and programs of the system read, and nothing about this host or its people. */
const FACTS = ['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'localtime', 'mime.types', 'magic']

/** Something that is put into the sandbox's tree, and the options that do so. */
type Mount = readonly [at: string, options: readonly string[]]

/** The programs that make a sandbox, by their absolute paths. */
export interface Tools {
  bwrap: string
  prlimit: string
  sh: string
}

/**
 * The words that run a program in a sandbox of its own (bubblewrap): the enclosure, the system's programs to be read, no
 * network, no other process, no rights beyond those of the account, and limits that it hands on to all it starts. The
 * folder of the enclosure has to be open as descriptor 3.
 * @param program absolute path
 */
export function boxed(tools: Tools, program: string, args: readonly string[], place: Place): string[] {
  return enclosed(tools, program, [...limited(tools), withoutLinks(program), ...args], place)
}

/** The same for a program that begins when the server answers what comes from `GATE_FD`, and never when it is gone. */
export function gated(tools: Tools, program: string, args: readonly string[], place: Place): string[] {
  const words = [tools.sh, '-c', GATE, 'sh', ...limited(tools), withoutLinks(program), ...args]
  return enclosed(tools, program, words, place)
}

/** What a program sees, and the folder in it where it begins. */
interface Place {
  enclosure: Enclosure
  cwd: string
}

function enclosed({ bwrap }: Tools, program: string, words: readonly string[], { enclosure, cwd }: Place): string[] {
  const mounts = [...systemMounts(), ...programMount(withoutLinks(program)), ...enclosureMounts(enclosure)]
  return [
    bwrap,
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session', '--hostname', 'sandbox'],
    // What lies in a folder has to be put there after it.
    ...mounts.toSorted(([a], [b]) => depthOf(a) - depthOf(b)).flatMap(([, options]) => options),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
    ...words,
  ]
}

const limited = ({ prlimit }: Tools) => [
  ...[prlimit, `--nproc=${SANDBOX_LIMITS.tasks}`, `--data=${SANDBOX_LIMITS.data}`, '--core=0', '--'],
]

/** Whether a folder can be put into the tree of a sandbox: the whole machine, or its kernel's own folders, cannot. */
export const isEnclosable = ({ root }: Enclosure): boolean => !/^\/(?:$|(?:proc|sys|dev)(?:\/|$))/.test(root)

/** What a program finds in its environment there: its home is a folder for temporary files. */
export function boxedEnvironment({ TMPDIR: _, ...environment }: Environment): Environment {
  return { ...environment, HOME: '/tmp' }
}

const depthOf = (path: string) => path.split('/').length

/** One that lies elsewhere than the system's is taken from where it really is: links to it may lead through nothing. */
function withoutLinks(program: string): string {
  const real = realpathSync(program)
  return isOfSystem(real) ? program : real
}

const isOfSystem = (path: string) => SYSTEM.some(folder => path.startsWith(`${folder}/`))

/** A program of the host that lies elsewhere is put there alone, without what lies beside it. */
const programMount = (program: string): Mount[] =>
  isOfSystem(program) ? [] : [[program, ['--ro-bind', program, program]]]

function systemMounts(): Mount[] {
  const temporary = (path: string): Mount => [path, ['--size', String(SANDBOX_LIMITS.temporary), '--tmpfs', path]]
  return [
    ...SYSTEM.flatMap(systemFolder),
    ...FACTS.map((name): Mount => [`/etc/${name}`, ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]]),
    // For a server of root the settings of the kernel would be writable.
    ['/proc', ['--proc', '/proc', '--remount-ro', '/proc']],
    ['/dev', ['--dev', '/dev', '--remount-ro', '/dev']],
    temporary('/dev/shm'),
    temporary('/tmp'),
  ]
}

function systemFolder(path: string): Mount[] {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there) return []
  return [[path, there.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]]]
}

function enclosureMounts({ root, writable, hidden }: Enclosure): Mount[] {
  return [[root, [writable ? '--bind-fd' : '--ro-bind-fd', String(FOLDER_FD), root]], ...hidden.map(hiding)]
}

/** Something stands there that nobody can open. */
const hiding = ({ path, kind }: Hidden): Mount =>
  kind === 'folder'
    ? [path, ['--perms', '0000', '--size', '4096', '--tmpfs', path, '--remount-ro', path]]
    : [path, ['--ro-bind', '/dev/null', path]]
