const tests = names => names.map(name => `test/e2e/${name}.test.ts`)

/** Signing in, looking around, uploads, copies, odd names, links and settings in a browser, as a person does them. */
export const JOURNEYS = tests(['browse', 'session', 'transfer', 'move-copy', 'odd-names', 'public-share', 'settings'])

/** All that has to do with where files are kept. */
export const BUCKET_JOURNEYS = tests([
  ...['archive', 'browse', 'change', 'details', 'dnd', 'editor', 'journeys', 'large-folder', 'live', 'many-uploads'],
  ...['move-copy', 'odd-names', 'pack', 'preview', 'public-share', 'rename', 'search', 'session', 'share-dialog'],
  ...['sizes', 'transfer', 'undo', 'upload-refusals', 'upload-session', 'uploads'],
])
