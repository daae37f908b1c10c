import { loadLaterTexts } from './i18n/index.ts'

const TEXTS = ['tools', 'settings', 'people'] as const

/** Loads a module with texts of the settings and of groups; apart from `lazy.ts`, which every page loads. */
export async function loadPeople<T>(load: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([load(), ...TEXTS.map(loadLaterTexts)])
  return part
}
