import { parentPort } from 'node:worker_threads'
import { type FromWorker, packError, type ToWorker, type WorkerCalls } from './worker-protocol.ts'

interface Running {
  iterator?: Iterator<unknown> | AsyncIterator<unknown>
  input?: PromiseWithResolvers<IteratorResult<unknown>>
  isCancelled: boolean
}

const running = new Map<number, Running>()
const transferred = new WeakMap<object, ArrayBuffer[]>()

/** Answers the calls of a `WorkerClient` on the current worker thread. Call it once, when the thread starts. */
export function serveCalls(calls: WorkerCalls): void {
  parentPort?.on('message', (message: ToWorker) => {
    if ('call' in message) return void run(message.id, () => begin(calls, message))
    const call = running.get(message.id)
    if (!call) return
    if ('next' in message) void run(message.id, () => next(message.id, call))
    else if ('cancel' in message) void cancel(message.id, call)
    else call.input?.resolve(message.ended ? { done: true, value: undefined } : { done: false, value: message.input })
  })
  post({ ready: true })
}

/** Marks buffers of a result as transferred: they are moved to the other thread instead of copied. */
export function transferring<T extends object>(result: T, buffers: ArrayBuffer[]): T {
  transferred.set(result, buffers)
  return result
}

/** Sends an event to the client. */
export function emitEvent(event: unknown): void {
  post({ event })
}

async function begin(calls: WorkerCalls, { id, call, argument, hasInput }: Extract<ToWorker, { call: string }>) {
  const state: Running = { isCancelled: false }
  running.set(id, state)
  const input = hasInput ? inputOf(id, state) : nothing()
  const result = await calls[call]?.(argument as never, input)
  if (!isIterator(result)) return end(id, result)
  state.iterator = result
  return state.isCancelled ? cancel(id, state) : next(id, state)
}

async function next(id: number, { iterator }: Running): Promise<void> {
  const { done, value } = (await iterator?.next()) ?? { done: true, value: undefined }
  if (done) return end(id, value)
  post({ id, value, done: false }, value)
}

function end(id: number, value: unknown): void {
  running.delete(id)
  post({ id, value, done: true }, value)
}

async function run(id: number, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (thrown) {
    running.delete(id)
    post({ id, failed: packError(thrown) })
  }
}

/** Ends a call without a reply. A call that awaits input fails; one that is computing ends at its next item. */
async function cancel(id: number, state: Running): Promise<void> {
  running.delete(id)
  state.isCancelled = true
  state.input?.reject(new Error('cancelled'))
  await state.iterator?.return?.()
}

async function* inputOf(id: number, state: Running): AsyncGenerator<never> {
  for (;;) {
    if (state.isCancelled) throw new Error('cancelled')
    state.input = Promise.withResolvers()
    post({ id, wants: true })
    const { done, value } = await state.input.promise
    if (done) return
    yield value as never
  }
}

async function* nothing(): AsyncGenerator<never> {}

function post(message: FromWorker, value?: unknown): void {
  const buffers = typeof value === 'object' && value !== null ? transferred.get(value) : undefined
  parentPort?.postMessage(message, buffers ?? [])
}

const isIterator = (value: unknown): value is AsyncIterator<unknown> =>
  typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function'
