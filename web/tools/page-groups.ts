import { fileURLToPath } from 'node:url'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** What every folder page loads after its first rows. */
const AFTER_ROWS = [
  'app/shell/folders.tsx',
  'app/shell/usage.tsx',
  'app/trays.tsx',
  'app/overlays.tsx',
  'app/installed/host.tsx',
  'app/folder-parts.tsx',
  'app/shell/activity-button.tsx',
  'features/files/listing/column-grip.tsx',
  'features/files/listing/empty-folder.tsx',
  'features/shares/received.tsx',
  'features/uploads/quota-notice.ts',
  'ui/grid/late-parts.ts',
].map(at)

/** What it loads before it is needed, once the browser is idle. */
const WHEN_IDLE = [
  'features/files/listing/context-menu.tsx',
  'features/files/listing/drag/move-by-drag.ts',
  'features/files/listing/naming/ask-name.ts',
  'features/files/listing/path-menu.tsx',
  'features/files/listing/selection-bar.tsx',
  'features/files/operations/delete.ts',
  'features/jobs/panel.tsx',
].map(at)

/** Likewise, but other pages have parts of it. */
const MENU = ['ui/menu.tsx', 'features/files/listing/drag/drag.ts'].map(at)
const VIEWERS = ['app/file-view.tsx', 'app/viewers.ts'].map(at)
const UPLOADS = [
  'features/uploads/interrupted.ts',
  'features/uploads/panel.tsx',
  'features/uploads/pasted.ts',
  'features/uploads/prompts/upload.tsx',
  'features/uploads/walk.ts',
].map(at)

/** Pages of their own, which do without what only folders need. */
const OTHER_PAGES = ['app/share-screen.tsx', 'features/auth/login.tsx'].map(at)

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/**
 * Groups of modules for the bundler: folder pages load one file for each moment, instead of dozens of small ones. What
 * other pages import, too, has a file of its own. The first group that takes a module has it, with all that it imports.
 */
export function pageGroups() {
  return [
    group('other-pages', OTHER_PAGES, [AFTER_ROWS, WHEN_IDLE, MENU, VIEWERS, UPLOADS].flat()),
    group('folder-page', AFTER_ROWS),
    group('menu', MENU),
    group('viewers', VIEWERS),
    group('uploads', UPLOADS),
    group('folder-idle', WHEN_IDLE),
  ]
}

/** The modules that `entries` import statically, and, if given, also `others`. */
function group(name: string, entries: readonly string[], others?: readonly string[]) {
  let found: ReadonlySet<string> | undefined
  return {
    debugName: name,
    name(id: string, modules: Modules): string | null {
      if (!found) {
        const all = importedBy(entries, modules)
        found = others ? all.intersection(importedBy(others, modules)) : all
      }
      return found.has(id) ? name : null
    },
  }
}

/** The modules, and all that they import statically. @throws Error if the build lacks one */
function importedBy(entries: readonly string[], modules: Modules): Set<string> {
  const found = new Set(entries)
  for (const id of found) {
    const info = modules.getModuleInfo(id)
    if (!info) throw new Error(`the build has no module ${id}`)
    for (const imported of info.importedIds) found.add(imported)
  }
  return found
}
