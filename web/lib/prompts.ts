import type { HostSetting } from '../../shared/api/diagnostics.ts'
import type { ResourceItem } from '../../shared/api/resources.ts'
import type { ShareLink } from '../../shared/api/shares.ts'
import type { ConflictChoice } from '../../shared/conflicts.ts'
import type { FilePath } from '../../shared/path.ts'
import type { Effect } from '../../shared/permissions.ts'
import { createStore, useStore } from './store.ts'

/**
 * The prompts and their props. A new prompt is one line here and one in `web/app/prompts.tsx`. A prompt's component
 * receives these props and calls `closePrompt()` itself.
 */
export interface PromptProps {
  help: Record<string, never>
  palette: Record<string, never>
  notices: Record<string, never>
  /** For these items, or the selection, or the folder. */
  info: { items?: readonly ResourceItem[] }
  /** `folder`: path of the parent folder. `value` and `problem`: the refused input, and why it was refused. */
  newDir: { folder: string; value?: string; problem?: string }
  newFile: { folder: string; value?: string; problem?: string }
  /** `format` of the archive to create in the folder, as selected before. */
  pack: { folder: string; items: readonly ResourceItem[]; value?: string; format?: string; problem?: string }
  extract: { item: Pick<ResourceItem, 'path' | 'name'> }
  rename: { item: ResourceItem; value?: string; problem?: string }
  move: { items: readonly ResourceItem[] }
  copy: { items: readonly ResourceItem[] }
  /** Without items the folder itself. */
  download: { folder: string; items: readonly ResourceItem[] }
  delete: { items: readonly ResourceItem[] }
  upload: { folder: string }
  /**
   * Name conflicts of an upload, copy or move. `more` counts conflicts that are not listed. Closing the prompt without
   * an answer changes nothing.
   */
  replace: { uploads?: true; conflicts: readonly Conflict[]; more?: number; onDecide: (decided: Decided) => void }
  share: { item: Pick<ResourceItem, 'path' | 'name' | 'isDir'> }
  /** `back`: the prompt to open afterwards, if any. */
  shareDelete: { link: Pick<ShareLink, 'hash' | 'path'>; back?: () => void }
  /** `onDeleted` runs after the user was deleted. */
  deleteUser: { id: number; username: string; isAdmin: boolean; onDeleted: () => void }
  /** Whether to discard unsaved input; the first answer counts. */
  discard: { answer: (leave: boolean) => void }
  /** Whether to save or discard a text before leaving it; the first answer counts. */
  leaveText: { name: string; answer: (choice: 'save' | 'discard' | 'stay') => void }
  /** A text that another client has saved in the meantime: both versions, with LF line endings. */
  changedText: {
    name: string
    mine: string
    theirs: string
    onOverwrite: () => void
    onKeepBoth: () => void
    onReload: () => void
  }
  /**
   * Why a user may perform an action on a file or folder, or may not; the current user unless a name is given. `action`
   * is the one selected initially. For a public share there is no other choice.
   */
  why: { path: string; username?: string; action?: Effect; link?: string }
  /** The disk usage of a folder. */
  sizes: { folder: FilePath }
  /** The value of a host setting from the next start of the server. */
  hostSetting: { setting: HostSetting }
  /** Schedules a copy, move or deletion. */
  schedule: ScheduleProps
  /** Failed items with their reasons. */
  error: { title: string; failures: readonly { name: string; reason: string }[]; onRetry: () => void }
}

/** A scheduled operation. `destination` of a copy or move. */
export interface ScheduleProps {
  action: 'copy' | 'move' | 'delete'
  items: readonly ResourceItem[]
  destination?: string
}

/** The decision on a name conflict. */
export type Decision = ConflictChoice

/** A file or folder as one side of a conflict. */
export interface Version {
  isDir: boolean
  /** False for a link to a folder. */
  isSymlink?: boolean
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch, or RFC 3339. */
  modified: number | string
  /** Its path, or the file itself before its upload, for a thumbnail. */
  source?: FilePath | File
}

/** An incoming item, and the existing one. */
export interface Conflict {
  /** Unique in the list. */
  id: string
  /** With as much of the path as distinguishes it from others. */
  name: string
  ours: Version
  /** Unknown without the permission to see it. */
  theirs: Version | undefined
  /** The conflict of a folder above it: this one is void unless that folder is merged. */
  inside?: string
}

/** The decisions on conflicts. */
export interface Decided {
  of(conflict: Conflict): Decision
  /** For conflicts that were only counted. */
  rest: Decision
}

export type PromptName = keyof PromptProps

/** The open prompt. */
export type OpenPrompt = { [N in PromptName]: { name: N; props: PromptProps[N]; id: number } }[PromptName]

const store = createStore<OpenPrompt | null>(null)
let lastId = 0

/** Opens a prompt; replaces an open one (one at a time). */
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

/** Opens a prompt as soon as none is open; settles when it is closed in any way. */
export async function promptAfterOthers<N extends PromptName>(name: N, props: PromptProps[N]): Promise<void> {
  await until(prompt => prompt === null)
  openPrompt(name, props)
  const { id } = store.get() ?? {}
  await until(prompt => prompt?.id !== id)
}

function until(holds: (prompt: OpenPrompt | null) => boolean): Promise<void> {
  return new Promise(resolve => {
    const check = () => {
      if (!holds(store.get())) return
      stop()
      resolve()
    }
    const stop = store.subscribe(check)
    check()
  })
}

/** The open prompt; re-renders when it changes. */
export function usePrompt(): OpenPrompt | null {
  return useStore(store)
}
