import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TOKEN_KEY } from '../../web/lib/stored-token.ts'
import { documentOf, type Editor, startEditor } from '../office/editor.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { test as base, expect } from './fixtures.ts'

/** How the configuration says that the editor reaches the server. */
const PUBLIC = 'http://files.test'
const LOCK = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'
/** What the frame of the editor shows. */
const PAGE = `<!doctype html><html lang="en"><title>Editor</title><main><h1>An editor</h1><button>Leave</button><button>Fail</button><button>Save</button></main><script>
const say = message => parent.postMessage(JSON.stringify(message), '*')
say({ MessageId: 'App_LoadingStatus', Values: { Status: 'Frame_Ready' } })
onmessage = ({ data }) => document.querySelector('h1').append(' ' + JSON.parse(data).MessageId)
const saved = success => say({ MessageId: 'Action_Save_Resp', Values: { success, errorMsg: 'x' } })
const acts = [() => say({ MessageId: 'UI_Close' }), () => saved(false), () => saved(true)]
document.querySelectorAll('button').forEach((button, at) => { button.onclick = acts[at] })
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

test('where the session ends, the frame stays, and gets a new token once the user has signed in in another tab', async ({
  app,
  page,
  context,
  corner,
  server,
}) => {
  await writeFile(join(corner.disk, 'a.odt'), 'content')
  await app.open(`/files${corner.path}/a.odt?as=office`)
  const heading = page.frameLocator('iframe[title="a.odt"]').getByRole('heading')
  await expect(heading).toHaveText('An editor Host_PostmessageReady')
  // A session of its own: the other tests use that of the page.
  const credentials = JSON.stringify({ username: 'admin', password: server.adminPassword })
  const headers = { 'Content-Type': 'application/json' }
  const token = await (await fetch(`${server.url}/api/login`, { method: 'POST', headers, body: credentials })).text()
  await page.evaluate(([key, own]) => localStorage.setItem(key, own), [TOKEN_KEY, token] as const)
  await page.reload()
  await expect(heading).toHaveText('An editor Host_PostmessageReady')
  await page.request.post(`${server.url}/api/logout`, { headers: { 'X-Auth': token } })
  await expect(page.getByText('Your session has ended.')).toBeVisible({ timeout: 60_000 })
  await expect(heading).toBeVisible()
  await expectAccessibleInBoth(page)

  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Log in again' }).click()
  const other = await opened
  await other.getByLabel('Username').fill('admin')
  await other.getByLabel('Password', { exact: true }).fill(server.adminPassword)
  await other.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText('Your session has ended.')).toHaveCount(0)
  await expect(heading).toHaveText('An editor Host_PostmessageReady Reset_Access_Token')
  await other.close()
})

test('a document that is locked over WebDAV says by whom, and is edited once it is free', async ({
  app,
  page,
  corner,
  server,
}) => {
  await writeFile(join(corner.disk, 'a.odt'), 'content')
  const headers = {
    Authorization: `Basic ${Buffer.from(`admin:${server.adminPassword}`).toString('base64')}`,
    'User-Agent': 'LibreOffice',
  }
  const address = `${server.url}/dav${corner.path}/a.odt`
  const lock = await fetch(address, { method: 'LOCK', headers, body: LOCK })
  expect(lock.status).toBe(200)
  await app.open(`/files${corner.path}/a.odt?as=office`)
  await expect(page.getByText('This document is locked with LibreOffice.')).toBeVisible()
  await expectAccessibleInBoth(page)
  const unlock = { ...headers, 'Lock-Token': lock.headers.get('lock-token') ?? '' }
  expect((await fetch(address, { method: 'UNLOCK', headers: unlock })).status).toBe(204)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('This document is locked')).toHaveCount(0)
  await expect(page.frameLocator('iframe[title="a.odt"]').getByText('An editor')).toBeVisible()
})

test('a document that the editor does not open says so', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.odp'), 'content')
  await app.open(`/files${corner.path}/a.odp?as=office`)
  await expect(page.getByText("The editor can't open this kind of file.")).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Download' })).toBeVisible()
})

test('what the editor could not save because another program changed the document is saved as a copy', async ({
  app,
  page,
  corner,
  editor,
  server,
}) => {
  const disk = join(corner.disk, 'a.odt')
  await writeFile(disk, 'content')
  await app.open(`/files${corner.path}/a.odt?as=office`)
  const frame = page.frameLocator('iframe[title="a.odt"]')
  await expect(frame.getByRole('heading', { name: 'Host_PostmessageReady' })).toBeVisible()
  const token = editor.opened.at(-1)?.get('access_token') ?? ''
  const id = new URL(page.frames()[1]?.url() ?? '').searchParams.get('WOPISrc')?.split('/').at(-1) ?? ''
  const document = documentOf(editor, { server: { url: server.url }, origin: PUBLIC + server.base }, { id, token })
  const { LastModifiedTime } = JSON.parse((await document.check()).text)
  expect((await document.lock('L')).status).toBe(200)
  await writeFile(disk, 'of another program')
  const put = await document.put('mine', 'L', { headers: { 'X-COOL-WOPI-Timestamp': LastModifiedTime } })
  expect([put.status, JSON.parse(put.text).COOLStatusCode]).toEqual([409, 1010])

  await frame.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByText("The editor couldn't save this document.")).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Save a copy' }).click()
  await expect(frame.getByRole('heading', { name: 'Action_SaveAs' })).toBeVisible()
  // What an editor does that knows this message.
  const copied = await document.post('PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': 'a.odt' }, { body: 'mine' })
  expect(JSON.parse(copied.text).Name).toBe('a(1).odt')
  await frame.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText("The editor couldn't save this document.")).toHaveCount(0)
  expect(await readFile(disk, 'utf8')).toBe('of another program')
  expect(await readFile(join(corner.disk, 'a(1).odt'), 'utf8')).toBe('mine')
})
