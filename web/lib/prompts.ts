import type { HostSetting } from '../../shared/api/diagnostics.ts'
import type { ResourceItem } from '../../shared/api/resources.ts'
import type { ShareLink } from '../../shared/api/shares.ts'
import type { ConflictChoice } from '../../shared/conflicts.ts'
import type { FilePath } from '../../shared/path.ts'
import type { Effect } from '../../shared/permissions.ts'
import { createStore, useStore } from './store.ts'

/**
 * The prompts and what each is told. A new prompt is one line here and one in
 * `web/app/prompts.tsx`. A prompt's component gets these props and calls `closePrompt()` itself.
 */
export interface PromptProps {
  help: Record<string, never>
  palette: Record<string, never>
  notices: Record<string, never>
  /** About these, or what is selected, or the folder. */
  info: { items?: readonly ResourceItem[] }
  /** `folder`: path of the folder to make it in. `value` and `problem`: what was typed before and refused, and why. */
  newDir: { folder: string; value?: string; problem?: string }
  newFile: { folder: string; value?: string; problem?: string }
  /** `format` of the archive that is to be made in the folder, as it was chosen before. */
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
   * Name conflicts of an upload, copy or move. `more` counts conflicts that are not listed one by one. Closing the prompt
   * without an answer changes nothing.
   */
  replace: { uploads?: true; conflicts: readonly Conflict[]; more?: number; onDecide: (decided: Decided) => void }
  share: { item: Pick<ResourceItem, 'path' | 'name' | 'isDir'> }
  /** `back`: what comes after it, if not nothing. */
  shareDelete: { link: Pick<ShareLink, 'hash' | 'path'>; back?: () => void }
  /** `onDeleted` runs when the user is gone. */
  deleteUser: { id: number; username: string; isAdmin: boolean; onDeleted: () => void }
  /** Whether what was typed may be thrown away; the first answer counts. */
  discard: { answer: (leave: boolean) => void }
  /** What becomes of a text that is left without saving; the first answer counts. */
  leaveText: { name: string; answer: (choice: 'save' | 'discard' | 'stay') => void }
  /** A text that somebody else has saved meanwhile: what each of both has made of it, with LF between lines. */
  changedText: {
    name: string
    mine: string
    theirs: string
    onOverwrite: () => void
    onKeepBoth: () => void
    onReload: () => void
  }
  /**
   * Why somebody may do something with a file or folder, or may not; the reader unless a name is given. `action` is what is
   * asked about first. About a public link nothing else can be chosen.
   */
  why: { path: string; username?: string; action?: Effect; link?: string }
  /** What takes the room in a folder. */
  sizes: { folder: FilePath }
  /** What a setting of the host is to be from the next start of the server. */
  hostSetting: { setting: HostSetting }
  /** When things are to be copied, moved or deleted, instead of now. */
  schedule: ScheduleProps
  /** What could not be done, thing by thing. */
  error: { title: string; failures: readonly { name: string; reason: string }[]; onRetry: () => void }
}

/** What is to be done at a time that is chosen. `destination` of those that go somewhere. */
export interface ScheduleProps {
  action: 'copy' | 'move' | 'delete'
  items: readonly ResourceItem[]
  destination?: string
}

/** What becomes of one thing when another of its name is there. */
export type Decision = ConflictChoice

/** A file or folder as one side of a conflict. */
export interface Version {
  isDir: boolean
  /** A link to a folder is not a folder here. */
  isSymlink?: boolean
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch, or RFC 3339. */
  modified: number | string
  /** Where it is, or the file itself while it is on its way here, for a picture of it. */
  source?: FilePath | File
}

/** Something on its way, and what is in the way. */
export interface Conflict {
  /** Unique in the list. */
  id: string
  /** With as much of the way to it as tells it from others. */
  name: string
  ours: Version
  /** Unknown when it can't be seen. */
  theirs: Version | undefined
  /** The conflict of the folder that it is somewhere in: there is none in one that is not merged. */
  inside?: string
}

/** What was decided about conflicts. */
export interface Decided {
  of(conflict: Conflict): Decision
  /** About what was only counted. */
  rest: Decision
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

/** Opens a prompt as soon as none is open; settles when it is closed, however that comes about. */
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

/** The open prompt; renders again when it changes. */
export function usePrompt(): OpenPrompt | null {
  return useStore(store)
}
