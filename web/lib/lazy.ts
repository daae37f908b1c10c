import { type ComponentType, createElement, type FunctionComponent, lazy } from 'react'
import { loadChunk } from './chunk.ts'
import type { LaterChunk } from './i18n/catalogues.ts'
import { loadLaterTexts } from './i18n/index.ts'

type LoadPart<P> = () => Promise<{ default: ComponentType<P> }>

/** A lazy component. */
export type LazyPart<P> = FunctionComponent<P> & {
  /** Loads it before it is rendered. @throws ChunkError */
  preload: () => Promise<unknown>
}

/** Milliseconds after which a failed part loads again when rendered, even if no error display has reported it. */
const FAILURE_LIFETIME = 300

const failed = new Set<() => void>()

/**
 * Resets failed lazy components, so that they load again when rendered; called by the error display that offers a
 * retry. A part that was left while it loaded has no such display.
 */
export function resetFailedParts(): void {
  for (const forget of failed) forget()
}

/** `React.lazy` with the time limit of `loadChunk` and failures that can be retried. */
export function lazyPart<P extends object>(load: LoadPart<P>): LazyPart<P> {
  return retryable(() => loadChunk(load))
}

/** The same for a part with texts of tools, which are loaded along with it. */
export function lazyTool<P extends object>(load: LoadPart<P>): LazyPart<P> {
  return retryable(() => withTexts('tools', load))
}

/** The same for a part with texts of the settings and of access rules, and of tools. */
export function lazySettings<P extends object>(load: LoadPart<P>): LazyPart<P> {
  return retryable(() => withTexts('settings', () => withTexts('tools', load)))
}

/** The same for a part of the settings with texts of webhooks. */
export function lazyWebhooks<P extends object>(load: LoadPart<P>): LazyPart<P> {
  return lazySettings(() => withTexts('webhooks', load))
}

/** The same for a part of the settings with texts on how programs connect. */
export function lazyConnect<P extends object>(load: LoadPart<P>): LazyPart<P> {
  return lazySettings(() => withTexts('connect', load))
}

/** The same for a part of the settings with texts of the diagnostics. */
export function lazyHost<P extends object>(load: LoadPart<P>): LazyPart<P> {
  return lazySettings(() => withTexts('host', load))
}

/** The same for a part with texts of the trash and the history. */
export function lazyHistory<P extends object>(load: LoadPart<P>): LazyPart<P> {
  return retryable(() => withTexts('history', load))
}

/** The same for a part with texts of sign-in with providers and of second factors. */
export function lazySignIn<P extends object>(load: LoadPart<P>): FunctionComponent<P> {
  return retryable(() => withTexts('signIn', load))
}

/** The same for a part with texts of mail. */
export function lazyMail<P extends object>(load: LoadPart<P>): FunctionComponent<P> {
  return retryable(() => withTexts('mail', load))
}

/** The same for a part with texts of share links. */
export function lazyLinks<P extends object>(load: LoadPart<P>): LazyPart<P> {
  return retryable(() => withTexts('links', load))
}

/** Loads a module with texts of the settings. @throws ChunkError */
export function loadSettings<T>(load: () => Promise<T>): Promise<T> {
  return withTexts('settings', load)
}

/** Loads a module with texts of the trash and the history. @throws ChunkError */
export function loadHistory<T>(load: () => Promise<T>): Promise<T> {
  return withTexts('history', load)
}

async function withTexts<T>(texts: LaterChunk, load: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([loadChunk(load), loadLaterTexts(texts)])
  return part
}

function retryable<P extends object>(load: LoadPart<P>): LazyPart<P> {
  const fresh = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        failed.add(forget)
        setTimeout(forget, FAILURE_LIFETIME)
        throw error
      }),
    )
  let part = fresh()
  const forget = () => {
    if (failed.delete(forget)) part = fresh()
  }
  return Object.assign((props: P) => createElement(part, props), { preload: load })
}
