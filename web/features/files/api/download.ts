import { apiUrl } from '../../../lib/api.ts'
import { rawPath } from '../../../lib/resource.ts'

/** Milliseconds between two downloads: browsers drop one that starts while the one before is being set up. */
const PAUSE = 400

/**
 * Downloads files one after another, by links the browser follows itself: nothing passes through memory, and a running
 * upload's question before leaving the page is not asked.
 */
export async function downloadFiles(items: readonly { path: string; name: string }[]): Promise<void> {
  for (const [index, { path, name }] of items.entries()) {
    if (index > 0) await new Promise(resolve => setTimeout(resolve, PAUSE))
    saveFrom(apiUrl(rawPath(path)), name)
  }
}

/** Lets the browser save what an address answers. @param name `''` for the one the server gives */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
