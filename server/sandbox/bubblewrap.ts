import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { LIMITS } from '../limits.ts'
import type { Environment } from './environment.ts'
import type { Hidden, SandboxSpec } from './sandbox-spec.ts'

/** Limits of everything that runs in one sandbox, in addition to time and output. */
export const SANDBOX_LIMITS = {
  /** Processes and their threads. */
  tasks: LIMITS.sandboxTasks,
  /** Bytes of data per process. */
  data: LIMITS.sandboxData,
  /** Bytes of memory of all processes together. */
  memory: LIMITS.sandboxMemory,
  /** Bytes in each of the folders for temporary files. */
  temporary: LIMITS.sandboxFiles,
} as const

/** Descriptors of the sandbox's folder, and of a socket over which the server lets the program start. */
const FOLDER_FD = 3
export const GATE_FD = 4

/**
 * The first program in a sandbox: it waits until the sandbox is sure to end with the server, asks the server over the
 * socket, and executes the program on its answer. Bubblewrap arranges that end (`--die-with-parent`) some time after
 * its own start, and last in the first process of the sandbox, which sleeps from then on; the system does not report an
 * earlier death.
 */
const GATE = [
  'while read -r _ _ state _ </proc/1/stat && [ "$state" != S ]; do :; done',
  `echo >&${GATE_FD} && read -r _ <&${GATE_FD} && exec "$@" ${GATE_FD}>&-`,
].join('\n')

/** Folders of programs and libraries; the first is a folder on every system, the others may be links into it. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** System files that the loader and programs read; nothing about this host or its users. */
const LOADER = ['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives']
const FACTS = [...LOADER, 'localtime', 'mime.types', 'magic', 'fonts', 'libreoffice']

/** An item mounted in the sandbox, and the options for it. */
type Mount = readonly [at: string, options: readonly string[]]

/** The programs that create a sandbox, by absolute path. */
export interface Tools {
  bwrap: string
  prlimit: string
  sh: string
}

/**
 * The argument vector that runs a program in a sandbox (bubblewrap): its folder, the system's programs read-only, no
 * network, no other processes, no privileges beyond those of the account, and limits inherited by all it starts. The
 * folder of the sandbox must be open as descriptor 3.
 * @param program absolute path
 */
export function sandboxArgv(tools: Tools, program: string, args: readonly string[], place: Place): string[] {
  return bubblewrapArgv(tools, program, [...limited(tools), withoutLinks(program), ...args], place)
}

/** The same for a program that starts when the server answers on `GATE_FD`, and never if the server is gone. */
export function gatedArgv(tools: Tools, program: string, args: readonly string[], place: Place): string[] {
  const words = [tools.sh, '-c', GATE, 'sh', ...limited(tools), withoutLinks(program), ...args]
  return bubblewrapArgv(tools, program, words, place)
}

/** The mounts of a sandbox, and the working folder in it. */
interface Place {
  spec: SandboxSpec
  cwd: string
}

function bubblewrapArgv({ bwrap }: Tools, program: string, words: readonly string[], { spec, cwd }: Place): string[] {
  const mounts = [...systemMounts(spec.temporary), ...programMount(withoutLinks(program)), ...scopeMounts(spec)]
  return [
    bwrap,
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session', '--hostname', 'sandbox'],
    // An item inside a folder has to be mounted after it.
    ...mounts.toSorted(([a], [b]) => depthOf(a) - depthOf(b)).flatMap(([, options]) => options),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
    ...words,
  ]
}

const limited = ({ prlimit }: Tools) => [
  ...[prlimit, `--nproc=${SANDBOX_LIMITS.tasks}`, `--data=${SANDBOX_LIMITS.data}`, '--core=0', '--'],
]

/** Whether a folder can be mounted in a sandbox: `/` and the kernel's own folders cannot. */
export const canBeSandboxed = ({ root }: SandboxSpec): boolean => !/^\/(?:$|(?:proc|sys|dev)(?:\/|$))/.test(root)

/** The environment in the sandbox: `HOME` is a folder for temporary files. */
export function sandboxEnvironment({ TMPDIR: _, ...environment }: Environment): Environment {
  return { ...environment, HOME: '/tmp' }
}

const depthOf = (path: string) => path.split('/').length

/** A program outside the system's folders is mounted from its real path: links to it may not resolve inside. */
function withoutLinks(program: string): string {
  const real = realpathSync(program)
  return isOfSystem(real) ? program : real
}

/** Whether every sandbox contains a file. @param path the real path */
export const isOfSystem = (path: string) => SYSTEM.some(folder => path.startsWith(`${folder}/`))

/** A program of the host outside those folders is mounted alone, without its neighbours. */
const programMount = (program: string): Mount[] =>
  isOfSystem(program) ? [] : [[program, ['--ro-bind', program, program]]]

function systemMounts(size: number = SANDBOX_LIMITS.temporary): Mount[] {
  const temporary = (path: string): Mount => [path, ['--size', String(size), '--tmpfs', path]]
  return [
    ...SYSTEM.flatMap(systemFolder),
    ...FACTS.map((name): Mount => [`/etc/${name}`, ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]]),
    // For a server that runs as root, the kernel's settings would be writable.
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

function scopeMounts({ root, writable, hidden }: SandboxSpec): Mount[] {
  return [[root, [writable ? '--bind-fd' : '--ro-bind-fd', String(FOLDER_FD), root]], ...hidden.map(hiding)]
}

/** Mounted over hidden paths; it cannot be opened. */
const hiding = ({ path, kind }: Hidden): Mount =>
  kind === 'folder'
    ? [path, ['--perms', '0000', '--size', '4096', '--tmpfs', path, '--remount-ro', path]]
    : [path, ['--ro-bind', '/dev/null', path]]
