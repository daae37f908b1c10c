import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { LIMITS } from '../limits.ts'
import type { Enclosure, Hidden } from './enclosure.ts'
import type { Environment } from './environment.ts'

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

/** Descriptor of the sandbox's folder, and of the answer which process is the first in it. */
export const FOLDER_FD = 3
export const INFO_FD = 4

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
}

/**
 * The words that run a program in a sandbox of its own (bubblewrap): the enclosure, the system's programs to be read, no
 * network, no other process, no rights beyond those of the account, and limits that it hands on to all it starts.
 * @param program absolute path
 */
export function boxed(
  { bwrap, prlimit }: Tools,
  program: string,
  args: readonly string[],
  place: { enclosure: Enclosure; cwd: string },
): string[] {
  const own = withoutLinks(program)
  const mounts = [...systemMounts(), ...programMount(own), ...enclosureMounts(place.enclosure)]
  return [
    bwrap,
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session', '--hostname', 'sandbox', '--info-fd', String(INFO_FD)],
    // What lies in a folder has to be put there after it.
    ...mounts.toSorted(([a], [b]) => depthOf(a) - depthOf(b)).flatMap(([, options]) => options),
    ...['--remount-ro', '/', '--chdir', place.cwd, '--'],
    ...[prlimit, `--nproc=${SANDBOX_LIMITS.tasks}`, `--data=${SANDBOX_LIMITS.data}`, '--core=0', '--'],
    ...[own, ...args],
  ]
}

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
