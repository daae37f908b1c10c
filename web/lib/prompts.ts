import { createStore, useStore } from './store.ts'

/** The props of each prompt by name; the registry in `web/app/prompts.tsx` adds those of its components. */
export interface PromptProps {}

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
