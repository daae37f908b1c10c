import { AppError, type ErrorCode } from '../errors.ts'

/** The calls of a worker by name: functions, or generators whose items are sent one by one. */
export type WorkerCalls = Readonly<Record<string, (argument: never, input: AsyncIterable<never>) => unknown>>

/** Messages to a worker: a call, a request for its next item, an item of its input, or its cancellation. */
export type ToWorker = { id: number } & (
  | { call: string; argument: unknown; hasInput: boolean }
  | { next: true }
  | { input: unknown; ended: boolean }
  | { cancel: true }
)

/** An item of a call, or its result, which is the last one. */
export interface Item {
  value: unknown
  done: boolean
}

/** Messages of a worker: that it has started, an event, a request for the next item of an input, or a reply. */
export type FromWorker =
  | { ready: true }
  | { event: unknown }
  | ({ id: number } & ({ wants: true } | Item | { failed: PackedError }))

/** An error as sent between threads: structured cloning would drop its class and code. */
export interface PackedError {
  message: string
  /** Of an `AppError`. */
  app?: ErrorCode
  /** Of a system error, such as `ENOENT`. */
  code?: unknown
  stack?: string | undefined
}

export function packError(thrown: unknown): PackedError {
  if (!(thrown instanceof Error)) return { message: String(thrown) }
  const { message, stack } = thrown
  if (thrown instanceof AppError) return { message, stack, app: thrown.code }
  return { message, stack, ...('code' in thrown && { code: thrown.code }) }
}

export function unpackError({ message, app, code, stack }: PackedError): Error {
  const error = app ? new AppError(app, message) : Object.assign(new Error(message), code !== undefined && { code })
  if (stack) error.stack = stack
  return error
}
