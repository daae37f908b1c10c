import type { ResourceItem } from '../../shared/api/resources.ts'
import type { ShareLink } from '../../shared/api/shares.ts'
import { createStore, useStore } from './store.ts'

/**
 * The prompts and what each is told (specification section 2, overlays). A new prompt is one line here and one in
 * `web/app/prompts.tsx`. A prompt's component gets these props and calls `closePrompt()` itself.
 */
export interface PromptProps {
  help: Record<string, never>
  /** `folder`: path of the folder to make it in. */
  newDir: { folder: string }
  delete: { items: readonly ResourceItem[] }
  upload: { folder: string }
  /** Uploads that met something of the same name. */
  replace: { conflicts: readonly UploadConflict[] }
  share: { item: Pick<ResourceItem, 'path' | 'name' | 'isDir'> }
  /** `back`: what comes after it, if not nothing. */
  shareDelete: { link: Pick<ShareLink, 'hash' | 'path'>; back?: () => void }
  /** `onDeleted` runs when the user is gone. */
  deleteUser: { id: number; username: string; isAdmin: boolean; onDeleted: () => void }
  /** Whether what was typed may be thrown away; the first answer counts. */
  discard: { answer: (leave: boolean) => void }
  error: { title: string; message: string }
}

/** One upload that cannot go on without a decision. */
export interface UploadConflict {
  /** The upload's id in the queue. */
  id: string
  path: string
  /** Bytes and date of the file at hand. */
  ours: { size: number; modified: number }
  /** Of what stands there, when known; date in milliseconds since the epoch. */
  theirs: { size: number; modified: number } | undefined
}

export type PromptName = keyof PromptProps

/** The open prompt. */
export type OpenPrompt = { [N in PromptName]: { name: N; props: PromptProps[N]; id: number } }[PromptName]

const store = createStore<OpenPrompt | null>(null)
let lastId = 0

/** Opens a prompt; one that is open is replaced (one at a time). */
export function openPrompt<N extends PromptName>(name: N, props: PromptProps[N]): void {
  lastId += 1
  store.set({ name, props, id: lastId } as OpenPrompt)
}

export function closePrompt(): void {
  store.set(null)
}

export function currentPrompt(): OpenPrompt | null {
  return store.get()
}

/** The open prompt; renders again when it changes. */
export function usePrompt(): OpenPrompt | null {
  return useStore(store)
}
