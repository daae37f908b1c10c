/** By URL, the files that were loaded, or are being loaded, and the URLs that each imports. */
const files = new Map<string, Promise<string[]>>()

/** The static imports in a built chunk. */
const IMPORTS = /\bimport(?:[^"'()]*?from)?["'](\.[^"']+\.js)["']/g

for (const { src } of document.scripts) files.set(src, Promise.resolve([]))
// A second copy of the page's sheet would come after those of the parts, and undo what they change.
for (const { href } of document.querySelectorAll<HTMLLinkElement>('[rel=stylesheet]'))
  files.set(href, Promise.resolve([]))

/**
 * Imports a chunk once it, all that it imports and its style sheets are there. Browsers keep a failed import for the
 * lifetime of the page, also that of a chunk which others share; a failed fetch they do not keep. The build wraps every
 * dynamic import in this function.
 * @param parts the chunk and its style sheets, relative to `base`; none if it is in the file that imports it
 * @throws Error if a file fails to load
 */
export async function fetchFirst<T>(
  load: () => Promise<T>,
  parts: readonly string[] | undefined,
  base: string,
): Promise<T> {
  const found = new Set<string>()
  if (parts) await Promise.all(parts.map(part => fetchAll(new URL(part, base).href, found)))
  return load()
}

async function fetchAll(url: string, found: Set<string>): Promise<void> {
  if (found.has(url)) return
  found.add(url)
  let loading = files.get(url)
  if (!loading) {
    loading = url.endsWith('.css') ? addSheet(url) : fetchScript(url)
    files.set(url, loading)
    loading.catch(() => files.delete(url))
  }
  const imports = await loading
  await Promise.all(imports.map(imported => fetchAll(imported, found)))
}

async function fetchScript(url: string): Promise<string[]> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return Array.from((await response.text()).matchAll(IMPORTS), ([, file = '']) => new URL(file, url).href)
}

function addSheet(href: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    link.onload = () => resolve([])
    link.onerror = () => {
      link.remove()
      reject(new Error(href))
    }
    document.head.append(link)
  })
}
