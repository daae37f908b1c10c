import { manager } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

/** The settings as they are on the server. */
const settingsOf = async (server: Parameters<typeof manager>[0]) => json(await (await manager(server)).settings())

test.beforeEach(async ({ server }) => {
  await (await manager(server)).change({
    rules: [],
    shell: [],
    signup: false,
    userHomeBasePath: '/users',
    commands: {},
  })
})

test.afterEach(async ({ server }) => {
  await (await manager(server)).change({
    rules: [],
    shell: [],
    signup: false,
    userHomeBasePath: '/users',
    commands: {},
  })
})

test('settings are changed, discarded and saved', async ({ app, page, server }) => {
  await app.open('/settings/global')
  const signup = page.getByLabel('Allow people to sign up')
  await signup.check()
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await app.button('Discard').click()
  await expect(signup).not.toBeChecked()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)

  await signup.check()
  await page.getByLabel('Shell for commands').fill('  /bin/sh   -c ')
  await app.button('Save').click()
  await expect(page.getByText('Settings updated')).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  expect(await settingsOf(server)).toMatchObject({ signup: true, shell: ['/bin/sh', '-c'] })
})

test('LOCK-06 changes by another administrator are kept, and conflicts are not resolved without a question', async ({
  app,
  page,
  server,
}) => {
  await app.open('/settings/global')
  await page.getByLabel('Allow people to sign up').check()
  const other = await manager(server)
  await other.change({ shell: ['theirs'], rules: [{ regex: false, allow: false, path: '/theirs', regexp: null }] })
  await app.button('Save').click()
  await expect(page.getByText('Settings updated')).toBeVisible()
  expect(await settingsOf(server)).toMatchObject({ signup: true, shell: ['theirs'], rules: [{ path: '/theirs' }] })
  const shell = page.getByLabel('Shell for commands')
  await expect(shell).toHaveValue('theirs')

  await shell.fill('mine')
  await other.change({ shell: ['theirs', 'again'] })
  await app.button('Save').click()
  await expect(page.getByText('It has changed in the meantime.')).toBeVisible()
  await expect(shell).toHaveValue('mine')
  expect((await settingsOf(server)).shell).toEqual(['theirs', 'again'])
})

test('rules are created, reordered and tested with the keyboard alone', async ({ app, page, server }) => {
  await app.open('/settings/global')
  const { keyboard } = page
  const add = app.button('New rule')
  await add.focus()
  await keyboard.press('Enter')
  await expect(page.getByLabel('Path of rule 1')).toBeFocused()
  await keyboard.type('/photos')
  await keyboard.press('Enter')
  await expect(page.getByText('Settings updated')).toHaveCount(0)
  await page.getByLabel('Effect of rule 1').selectOption('Deny')

  await add.focus()
  await keyboard.press('Enter')
  await keyboard.press('Tab')
  await keyboard.press('Space')
  await keyboard.press('Shift+Tab')
  await expect(page.getByLabel('Regular expression of rule 2')).toBeFocused()
  await keyboard.type('(?=x)')
  await expect(page.getByText('Invalid regular expression.')).toBeVisible()
  await page.getByLabel('Regular expression of rule 2').fill('\\.jpg$')
  await expect(page.getByText('Invalid regular expression.')).toHaveCount(0)

  const attempt = page.getByLabel('Try a path')
  await attempt.fill('/photos/a.jpg')
  await expect(page.getByText('Allowed by rule 2')).toBeVisible()
  await attempt.fill('/photos/a.txt')
  await expect(page.getByText('Denied by rule 1')).toBeVisible()
  await attempt.fill('/other')
  await expect(page.getByText('Allowed: no rule matches')).toBeVisible()

  await app.button('Move rule 2 up').focus()
  await keyboard.press('Enter')
  await attempt.fill('/photos/a.jpg')
  await expect(page.getByText('Denied by rule 2')).toBeVisible()
  await app.button('Save').focus()
  await keyboard.press('Enter')
  await expect(page.getByText('Settings updated')).toBeVisible()
  expect((await settingsOf(server)).rules).toEqual([
    { allow: true, regex: true, path: '', regexp: { raw: '\\.jpg$' } },
    { allow: false, regex: false, path: '/photos', regexp: null },
  ])

  await app.button('Delete rule 1').focus()
  await keyboard.press('Enter')
  await expect(app.button('Delete rule 1')).toBeFocused()
  await expect(page.getByLabel('Path of rule 1')).toHaveValue('/photos')
})

test('a value the server refuses is reported at its field and above the form, and stays in the field', async ({
  app,
  page,
  server,
}) => {
  await app.open('/settings/global')
  await page.getByLabel('Base path for home directories').fill('/a/../b')
  await app.button('New rule').click()
  await page.getByLabel('Regex').check()
  await page.getByLabel('Regular expression of rule 1').fill('(')
  await app.button('Save').click()
  const summary = page.getByRole('alert').filter({ hasText: /^Fix 1 problem/ })
  await expect(summary).toBeFocused()
  await summary.getByRole('button', { name: 'Rule 1' }).click()
  await expect(page.getByLabel('Regular expression of rule 1')).toBeFocused()
  await app.button('Delete rule 1').click()
  await app.button('Save').click()
  await summary.getByRole('button', { name: 'Base path for home directories' }).click()
  const homes = page.getByLabel('Base path for home directories')
  await expect(homes).toBeFocused()
  await expect(homes).toHaveAttribute('aria-invalid', 'true')
  await expect(homes).toHaveValue('/a/../b')
  expect((await settingsOf(server)).userHomeBasePath).toBe('/users')
})

test('without a connection no input is lost', async ({ app, page, context }) => {
  await app.open('/settings/global')
  await page.getByLabel('Name of this instance').fill('Kept')
  await app.goOffline()
  await expect(page.getByText("Offline – changes can't be saved right now")).toBeVisible()
  await expect(app.button('Save')).toBeDisabled()
  await context.setOffline(false)
  await expect(app.button('Save')).toBeEnabled()
  await expect(page.getByLabel('Name of this instance')).toHaveValue('Kept')
})

test('commands are offered on servers that run any', async ({ app, page }) => {
  await app.open('/settings/global')
  await expect(page.getByRole('heading', { name: 'User defaults' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Command runner' })).toHaveCount(0)
})

test.describe('where the host runs commands', () => {
  test.use({ storageState: ANONYMOUS })

  test('they are set per event, one a line', async ({ page }, { project }) => {
    const runner = await startServer({
      base: project.metadata.base,
      args: ['--disableExec=false', '--execSandbox=none'],
    })
    const app = new App(page, runner.url)
    await app.open('/settings/global')
    await app.logIn(runner.adminPassword)
    await expect(page.getByText('Commands run without a sandbox')).toBeVisible()
    await page.getByLabel('After uploading').fill('  echo one \n\n echo two')
    await app.button('Save').click()
    await expect(page.getByText('Commands updated')).toBeVisible()
    const { commands } = await settingsOf(runner)
    expect(commands).toMatchObject({ after_upload: ['echo one', 'echo two'], before_copy: [] })
    await expect(page.getByLabel('Run commands')).toBeVisible()
    await runner.stop()
  })
})
