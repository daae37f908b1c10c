import { bindKernel, type Kernel } from './kernel.ts'
import { isKnownSystem } from './native.ts'
import { failedCall } from './self-test.ts'

/** The system calls, or why they are not used: the system, the runtime, or the call that failed the self-test. */
export type KernelState = { calls: Kernel; missing?: never } | { calls?: never; missing: string }

/** What the host chose. */
export type KernelChoice = 'auto' | 'off'

let state: KernelState | undefined

/** Whether this process calls the kernel directly. The first call takes some milliseconds, for the self-test. */
export function kernelState(choice: KernelChoice = 'auto'): KernelState {
  if (choice === 'off') return { missing: '--kernel=off' }
  state ??= tried()
  return state
}

function tried(): KernelState {
  if (!isKnownSystem()) return { missing: `${process.platform} ${process.arch}` }
  try {
    const calls = bindKernel()
    if (!calls) return { missing: `Node ${process.version}` }
    const missing = failedCall(calls, process.execPath)
    return missing === undefined ? { calls } : { missing }
  } catch (thrown) {
    return { missing: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
