import { apiUrl } from '../../../lib/api.ts'
import { rawPath } from './resource.ts'

/** Milliseconds between two downloads: browsers drop a download that starts while the previous one is being set up. */
const PAUSE = 400

/**
 * Downloads files one after another through links that the browser follows. Nothing passes through memory, and the
 * prompt about running uploads on leaving the page does not appear.
 */
export async function downloadFiles(items: readonly { path: string; name: string }[]): Promise<void> {
  for (const [index, { path, name }] of items.entries()) {
    if (index > 0) await new Promise(resolve => setTimeout(resolve, PAUSE))
    saveFrom(apiUrl(rawPath(path)), name)
  }
}

/** Saves the response of a URL as a file. @param name `''` for the name that the server sends */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
