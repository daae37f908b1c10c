import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documentOf, type Editor, startEditor } from '../office/editor.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { test as base, expect } from './fixtures.ts'

/** How the configuration says that the editor reaches the server. */
const PUBLIC = 'http://files.test'
/** What the frame of the editor shows. */
const PAGE = `<!doctype html><html lang="en"><title>Editor</title><main><h1>An editor</h1><button>Leave</button></main><script>
const say = message => parent.postMessage(JSON.stringify(message), '*')
say({ MessageId: 'App_LoadingStatus', Values: { Status: 'Frame_Ready' } })
onmessage = ({ data }) => document.querySelector('h1').append(' ' + JSON.parse(data).MessageId)
document.querySelector('button').onclick = () => say({ MessageId: 'UI_Close' })
</script></html>`

const test = base.extend<object, { editor: Editor }>({
  editor: [
    async ({ playwright: _playwright }, use) => {
      const editor = await startEditor({ page: PAGE })
      await use(editor)
      editor.close()
    },
    { scope: 'worker' },
  ],
  serverArgs: [
    async ({ editor }, use, { project }) => {
      const { base: path = '' } = project.metadata
      await use(['--office', editor.url, '--publicURL', PUBLIC + path, '--officeNetworks', '127.0.0.1'])
    },
    { scope: 'worker' },
  ],
})

test('a document is edited in a frame, saved by the editor, and closed from there', async ({
  app,
  page,
  corner,
  editor,
  server,
}) => {
  const disk = join(corner.disk, 'a.odt')
  await writeFile(disk, 'content')
  await app.openFolder(corner.path)
  await app.row('a.odt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const frame = page.frameLocator('iframe[title="a.odt"]')
  await expect(frame.getByRole('heading', { name: 'An editor Host_PostmessageReady' })).toBeVisible()
  await expectAccessibleInBoth(page)

  const token = editor.opened.at(-1)?.get('access_token') ?? ''
  expect(page.url()).not.toContain(token)
  const id = new URL(page.frames()[1]?.url() ?? '').searchParams.get('WOPISrc')?.split('/').at(-1) ?? ''
  const place = { server: { url: server.url }, origin: PUBLIC + server.base }
  const document = documentOf(editor, place, { id, token })
  expect((await document.lock('L')).status).toBe(200)
  expect((await document.put('from the editor', 'L')).status).toBe(200)
  expect((await document.unlock('L')).status).toBe(200)
  expect(await readFile(disk, 'utf8')).toBe('from the editor')

  await frame.getByRole('button', { name: 'Leave' }).click()
  await expect(app.row('a.odt')).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
})

test('WOPI-09 a message that does not come from the editor closes nothing', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.odt'), 'content')
  await app.open(`/files${corner.path}/a.odt?as=office`)
  const frame = page.frameLocator('iframe[title="a.odt"]')
  await expect(frame.getByText('An editor')).toBeVisible()
  await page.evaluate(() => window.postMessage(JSON.stringify({ MessageId: 'UI_Close' }), '*'))
  await expect(frame.getByText('An editor')).toBeVisible()
})

test('a document that the editor does not open says so', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.odp'), 'content')
  await app.open(`/files${corner.path}/a.odp?as=office`)
  await expect(page.getByText("The editor can't open this kind of file.")).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Download' })).toBeVisible()
})
