/** Signing in, looking around, uploads, copies, odd names, links and settings in a browser, as a person does them. */
export const JOURNEYS = ['browse', 'session', 'transfer', 'move-copy', 'odd-names', 'public-share', 'settings'].map(
  name => `test/e2e/${name}.test.ts`,
)
