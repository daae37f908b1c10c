import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { GOOD_PASSWORD, manager, newcomer, perm } from '../api/accounts.ts'
import { json, login } from '../api/client.ts'
import { startServer, uniqueName } from '../api/harness.ts'
import { linkTo, viewShare } from '../api/links-client.ts'
import { App } from './app.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { ANONYMOUS, becomeOther, expect, test } from './fixtures.ts'

const asks = 'Are you sure you want to delete this user?'

test('a user is created, found in the list, changed and deleted', async ({ app, page, server }) => {
  const name = uniqueName('new')
  await app.open('/settings/users')
  await expect(page).toHaveTitle('Users – Filigree')
  await expect(page.getByRole('row', { name: /^admin Yes/ })).toBeVisible()
  await page.getByRole('link', { name: 'New' }).click()
  await app.isAt('/settings/users/new')

  await app.button('Create').click()
  await expect(page.getByText('Fix 2 problems')).toBeVisible()
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await page.getByLabel('Scope').fill('/made/here')
  await page.getByLabel('Edit files').uncheck()
  await page.getByLabel('Share files').check()
  await app.button('Create').click()
  await expect(page.getByText('User created')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue(name)
  await expect(page.getByPlaceholder('(leave blank to avoid changes)')).toHaveValue('')
  await expect.poll(() => app.address()).toMatch(/^\/settings\/users\/\d+$/)
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(200)

  await page.getByLabel('Prevent the user from changing the password').check()
  await app.button('Save').click()
  await expect(page.getByText('User updated')).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  // A blank password is no change.
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(200)

  await app.button('Use without home directory').click()
  await expect(page.getByText('User has no home directory now')).toBeVisible()
  await app.button('Use home directory').click()
  await expect(app.button('Use without home directory')).toBeVisible()

  await app.button('Disable account').click()
  await expect(page.getByText('Account disabled')).toBeVisible()
  await expect(app.button('Enable account')).toBeVisible()
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(403)
  await expectAccessibleInBoth(page)
  await page.goto(`${server.url}/settings/users`)
  await expect(page.getByRole('row', { name: new RegExp(`^${name}`) })).toContainText('Disabled')
  await expectAccessibleInBoth(page)
  await page.goBack()
  await app.button('Enable account').click()
  await expect(app.button('Disable account')).toBeVisible()
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(200)

  await app.button('Delete').click()
  await expect(app.dialog.getByText(asks)).toBeVisible()
  await expect(app.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app.dialog).toHaveCount(0)
  const id = Number((await app.address()).split('/').pop())
  const { hash } = await linkTo(server, (await login(server, name, GOOD_PASSWORD)).text, '/')
  const heir = await newcomer(server, await manager(server), {
    scope: `/${uniqueName('heir')}`,
    perm: perm('share', 'download', 'create'),
  })
  await page.reload()
  await app.button('Delete').click()
  await app.dialog.getByLabel('Links and shares').selectOption(`Hand over to ${heir.name}`)
  await expect(app.dialog.getByLabel(`Move the files to a folder of ${heir.name}`)).toBeChecked()
  await expectAccessibleInBoth(page)
  const saved = page.waitForEvent('download')
  await app.dialog.getByRole('link', { name: `Download files and data of ${name} (ZIP)` }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.zip$/)
  await app.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('User deleted')).toBeVisible()
  expect(json(await viewShare(server, hash))).toMatchObject({ name: 'here' })
  expect((await (await manager(server)).get(id)).status).toBe(404)
  await app.isAt('/settings/users')
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(0)
})

test('with the keyboard alone a user is created, found, changed and deleted', async ({ app, page, server }) => {
  const name = uniqueName('keys')
  const { keyboard } = page
  await app.open('/settings/users')
  await page.getByRole('link', { name: 'New' }).focus()
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'New user' })).toBeFocused()
  await page.getByLabel('Username').focus()
  await keyboard.type(name)
  await keyboard.press('Tab')
  await keyboard.type(GOOD_PASSWORD)
  await keyboard.press('Enter')
  await expect(page.getByText('User created')).toBeVisible()
  await page.getByLabel('Administrator').focus()
  await keyboard.press('Space')
  await app.button('Save').focus()
  await keyboard.press('Enter')
  await expect(page.getByText('User updated')).toBeVisible()
  await app.button('Delete').focus()
  await keyboard.press('Enter')
  await expect(app.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expect(page.getByText('User deleted')).toBeVisible()
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(403)
})

test('an administrator has every permission and cannot be locked', async ({ app, page, server }) => {
  const { id } = await newcomer(server, await manager(server), { lockPassword: true, perm: perm('download') })
  await app.open(`/settings/users/${id}`)
  const admin = page.getByLabel('Administrator')
  const share = page.getByLabel('Share files')
  const lock = page.getByLabel('Prevent the user from changing the password')
  await admin.check()
  await expect(share).toBeChecked()
  await expect(share).toBeDisabled()
  await expect(lock).not.toBeChecked()
  await expect(lock).toBeDisabled()
  await expect(page.getByText('Administrators always have all permissions.')).toBeVisible()
  await admin.uncheck()
  await expect(share).toBeEnabled()
  await expect(lock).toBeEnabled()
  await page.getByLabel('Download').uncheck()
  await expect(share).not.toBeChecked()
})

test('the scope is chosen among the folders of the administrator, and may still be typed', async ({
  app,
  page,
  server,
  corner,
}) => {
  await mkdir(join(corner.disk, 'teams/design'), { recursive: true })
  const boss = await manager(server)
  const { id, token } = await newcomer(server, boss, {
    scope: corner.path,
    perm: perm('admin', 'create', 'download'),
  })
  await becomeOther(page, token)
  await app.open('/settings/users/new')
  const scope = page.getByLabel('Scope', { exact: true })
  await app.button('Choose folder').click()
  const tree = app.dialog.getByRole('tree')
  await tree.getByRole('treeitem', { name: 'teams' }).dblclick()
  await tree.getByRole('treeitem', { name: 'design' }).click()
  await expect(app.dialog).toContainText(`${corner.path}/teams/design`)
  await expectAccessibleInBoth(page)
  await app.dialog.getByRole('button', { name: 'Choose folder' }).click()
  await expect(app.dialog).toHaveCount(0)
  await expect(scope).toHaveValue(`${corner.path}/teams/design`)
  await scope.fill('/teams/later')
  await expect(scope).toHaveValue('/teams/later')
  // Other tests count the administrators.
  await boss.remove(id)
})

test('a home replaces the scope, and restores it when switched off', async ({ app, page, server }) => {
  const boss = await manager(server)
  const { defaults } = json(await boss.settings())
  await boss.change({ createUserDir: true, defaults: { ...defaults, scope: '/shelf' } })
  await app.open('/settings/users/new')
  const home = page.getByLabel('Create a home directory for this user')
  const scope = page.getByLabel('Scope')
  await home.uncheck()
  await expect(scope).toHaveValue('/shelf')
  await home.check()
  await expect(scope).toHaveValue('')
  await expect(scope).toBeDisabled()
  const name = uniqueName('home')
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await app.button('Create').click()
  await expect(page.getByText('User created')).toBeVisible()
  await expect(scope).toHaveValue(`/users/${name}`)
  await expect(home).toHaveCount(0)
  await boss.change({ createUserDir: false, defaults })
})

test('a taken name or a weak password is reported at its field, and the input stays', async ({ app, page, server }) => {
  const { name } = await newcomer(server, await manager(server))
  await app.open('/settings/users/new')
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await app.button('Create').click()
  await expect(page.getByText('Too short: a password needs at least 12 characters.').last()).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await app.button('Create').click()
  await expect(page.getByText('Username already taken').last()).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Username')).toHaveValue(name)
})

test('the last administrator cannot be demoted', async ({ app, page }) => {
  await app.open('/settings/users/1')
  await page.getByLabel('Administrator').uncheck()
  await app.button('Save').click()
  await expect(page.getByText('At least one administrator is required.').last()).toBeVisible()
  await app.button('Discard').click()
  await app.button('Delete').click()
  await app.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(app.dialog.getByText('At least one administrator is required.')).toBeVisible()
  await page.keyboard.press('Escape')
  await app.open('/settings/users/4711')
  await expect(page.getByRole('heading', { name: "This location can't be reached." })).toBeVisible()
})

test.describe('where the host requires the current password', () => {
  test.use({ storageState: ANONYMOUS })

  test('the form asks for it when the server does', async ({ page }, { project }) => {
    const strict = await startServer({ base: project.metadata.base, args: ['--requireCurrentPassword'] })
    const app = new App(page, strict.url)
    await app.open('/settings/users/new')
    await app.logIn(strict.adminPassword)
    await expect(page.getByRole('heading', { name: 'New user' })).toBeVisible()
    await page.getByLabel('Username').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await app.button('Create').click()
    const own = page.getByLabel('Your password')
    await expect(own).toBeFocused()
    await own.fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Incorrect password.')).toBeVisible()
    await own.fill(strict.adminPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByText('User created')).toBeVisible()
    await app.button('Delete').click()
    await app.dialog.getByRole('button', { name: 'Delete' }).click()
    await app.dialog.getByLabel('Your password').fill(strict.adminPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByText('User deleted')).toBeVisible()
    // The list loads its table: a server that ends in the meantime answers 503.
    await expect(page.getByRole('row', { name: /^admin Yes/ })).toBeVisible()
    await strict.stop()
  })
})
