import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from '../api/harness.ts'
import { freePort } from '../proxies/free-port.ts'
import { App } from './app.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'
import { expectText } from './typing.ts'

test.use({ storageState: ANONYMOUS })

/** Records that it ran. */
const SCRIPT = '<script>document.title = "ran"; localStorage.setItem("ran", "yes")</script>'
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>drawn</title>${SCRIPT}</svg>`

test('XSS-01 stored content opens at the second origin, runs nothing there, and is shown by the interface', async ({
  page,
  context,
}, { project }) => {
  const port = await freePort()
  const content = `http://localhost:${port}`
  const { base } = project.metadata
  const server = await startServer({ base, args: ['--port', String(port), '--contentOrigin', content] })
  const files = { 'note.txt': 'a note', 'page.html': `<title>still</title><p>mine${SCRIPT}`, 'drawing.svg': DRAWING }
  for (const [name, text] of Object.entries(files)) await writeFile(join(server.root, name), text)
  const app = new App(page, server.url)
  await app.open('/login')
  await app.logIn(server.adminPassword)
  await app.settled()
  for (const [name, title] of [
    ['note.txt', ''],
    ['page.html', 'still'],
    ['drawing.svg', 'drawn'],
  ] as const) {
    const tab = await context.newPage()
    await tab.goto(`${server.url}/api/raw/${name}?inline=true`)
    expect([new URL(tab.url()).origin, await tab.title()]).toEqual([content, title])
    await tab.close()
  }
  await app.open('/files/note.txt')
  await expectText(page, 'a note')
  await app.open('/files/drawing.svg')
  await expect
    .poll(() => page.getByAltText('drawing.svg').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(9)
  expect(await page.evaluate(() => localStorage.getItem('ran'))).toBeNull()
  await server.stop()
})
