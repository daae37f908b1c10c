import type { RenameStep } from '../../../shared/rename-steps.ts'
import { createStore } from '../../lib/store.ts'
import { KINDS } from './default-steps.ts'

/** Steps that the user saved in this browser under a name. */
export interface SavedSteps {
  name: string
  steps: readonly RenameStep[]
}

const KEY = 'rename-steps'
/** The most that are saved. */
const MAX_SAVED = 50

/** The saved steps, by name. */
export const savedSteps = createStore<readonly SavedSteps[]>(read())

/** Saves steps, in place of others of the same name. */
export function saveSteps(name: string, steps: readonly RenameStep[]): void {
  const others = savedSteps.get().filter(saved => saved.name !== name)
  write([...others, { name, steps }].slice(-MAX_SAVED).sort((a, b) => a.name.localeCompare(b.name)))
}

export function forgetSteps(name: string): void {
  write(savedSteps.get().filter(saved => saved.name !== name))
}

function write(all: readonly SavedSteps[]): void {
  savedSteps.set(all)
  try {
    localStorage.setItem(KEY, JSON.stringify(all))
  } catch {
    // Storage may be unavailable; the steps then last as long as the page.
  }
}

function read(): SavedSteps[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(all) ? all.filter(isSaved) : []
  } catch {
    return []
  }
}

function isSaved(value: Partial<SavedSteps> | null): value is SavedSteps {
  if (typeof value?.name !== 'string' || !Array.isArray(value.steps)) return false
  return value.steps.every(step => KINDS.includes(step?.kind))
}
