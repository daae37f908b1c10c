import type * as Ffi from 'node:ffi'

/**
 * Functions of the C library, as glibc and musl have them on 64-bit Linux: `off_t` has 64 bits, and the layouts
 * of `struct statx`, `struct iovec`, `struct pollfd` and `struct open_how` are the same on every processor. All memory that they are given is `Native.memory`.
 */
const SIGNATURES = {
  __errno_location: { arguments: [], return: 'pointer' },
  copy_file_range: { arguments: ['int32', 'pointer', 'int32', 'pointer', 'uint64', 'uint32'], return: 'int64' },
  fcntl: { arguments: ['int32', 'int32', 'int64'], return: 'int32' },
  memfd_create: { arguments: ['pointer', 'uint32'], return: 'int32' },
  poll: { arguments: ['pointer', 'uint64', 'int32'], return: 'int32' },
  getxattr: { arguments: ['pointer', 'pointer', 'pointer', 'uint64'], return: 'int64' },
  setxattr: { arguments: ['pointer', 'pointer', 'pointer', 'uint64', 'int32'], return: 'int32' },
  sendfile: { arguments: ['int32', 'int32', 'pointer', 'uint64'], return: 'int64' },
  preadv2: { arguments: ['int32', 'pointer', 'int32', 'int64', 'int32'], return: 'int64' },
  // The fourth argument is a descriptor for some calls.
  syscall: { arguments: ['int64', 'int32', 'pointer', 'pointer', 'uint64', 'uint64'], return: 'int64' },
  statx: { arguments: ['int32', 'pointer', 'int32', 'uint32', 'pointer'], return: 'int32' },
} as const satisfies Ffi.FunctionDefinitions

/** Bytes that calls of one thread share: each call is over before the next one begins. */
export const MEMORY = 8192 + 32_768

/** The functions of the C library for one thread, without any check of their arguments. */
export interface Native {
  readonly calls: Omit<Ffi.WrappedFunctionsFromDefinitions<typeof SIGNATURES>, '__errno_location'>
  /** The only memory that calls may be given. */
  readonly memory: Buffer
  /** The address of an offset in `memory`. */
  at(offset: number): bigint
  /** The error of this thread's last call, if that failed. */
  errno(): number
}

/** Systems whose layouts are known. */
export const isKnownSystem = (): boolean =>
  process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64')

/** Binds the functions for the current thread; `undefined` where the runtime cannot. @throws where one is missing */
export function bindNative(): Native | undefined {
  const ffi = loadFfi()
  if (!ffi) return undefined
  const { functions } = ffi.dlopen(null, SIGNATURES)
  const memory = Buffer.allocUnsafeSlow(MEMORY)
  const start = ffi.getRawPointer(memory)
  const { __errno_location, ...calls } = functions
  // Each thread has its own place, which never moves.
  const place = __errno_location()
  return { calls, memory, at: offset => start + BigInt(offset), errno: () => ffi.getInt32(place) }
}

/** The module without its notice that it is experimental: the self-test decides whether it is used. */
function loadFfi(): typeof Ffi | undefined {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:ffi')
  } finally {
    process.emitWarning = emitWarning
  }
}
