import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manager, send } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { giveToGroup, withRoot } from '../api/further-root.ts'
import { startServer } from '../api/harness.ts'
import { confirmedLongAgo } from '../api/late.ts'
import { hasNginx, startNginx } from '../faults/nginx.ts'
import { startRealProvider } from '../oidc/real-provider.ts'
import { providerAt, withProviders } from '../oidc/sign-in.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

/** Within which a page is signed out by the provider, in milliseconds. */
const AT_ONCE = 15_000

const WHERE = [
  { where: 'at the root', base: '', isBehind: false },
  { where: 'below /a/b behind nginx', base: '/a/b', isBehind: true },
]

for (const { where, base, isBehind } of WHERE) {
  test(`${where}, a newcomer of a real provider has the team folder of a group, confirms there, loses the folder with the group, and is signed out from either side`, async ({
    page,
    context,
  }) => {
    test.skip(isBehind && !hasNginx, 'There is no nginx here.')
    const provider = await startRealProvider()
    const { home, disk, args } = await withRoot()
    const settings = providerAt(provider.issuer, { label: 'Home', groupMap: { staff: 'Staff' } })
    const server = await startServer(withProviders([settings], { base, args }))
    const proxy = isBehind ? await startNginx([server.url], { body: '0', patience: '60s', passes: true }) : undefined
    const url = proxy ? `${proxy.url}${base}` : server.url
    await provider.register({ url })
    await writeFile(join(disk, 'plan.txt'), 'a plan')
    const admin = await manager(server)
    const staff = json(await send(server, 'POST', '/api/groups', admin.token, { name: 'Staff', perm: {} }))
    await giveToGroup(server, admin.token, staff.id)

    const app = new App(page, url)
    const button = page.getByRole('link', { name: 'Log in with Home' })
    const enterName = async () => {
      // The page that is left has a field of this name, too.
      await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
      await page.getByLabel('Name').fill('zoe')
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    const signIn = async () => {
      await button.click()
      await enterName()
      await app.settled()
    }
    const signOut = async () => {
      await app.logOut()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect(button).toBeVisible()
      expect(page.url().startsWith(`${url}/login`)).toBe(true)
    }
    await app.open('/files/')
    await signIn()
    await expect(app.row('Team')).toBeVisible()
    await app.openFolder('/Team')
    await expect(app.row('plan.txt')).toBeVisible()

    await app.open('/settings/security')
    const tokens = page.getByRole('region', { name: 'API tokens' })
    const make = async () => {
      await tokens.getByRole('button', { name: 'New token' }).click()
      await app.dialog.getByLabel('Name').fill('Phone')
      await page.keyboard.press('Enter')
    }
    await expect(tokens).toContainText('There are no API tokens.')
    await confirmedLongAgo(server)
    await make()
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await expect(question).toContainText('The provider asks you to log in again.')
    const confirm = question.getByRole('button', { name: 'Log in with Home' })
    await expect(confirm).toBeFocused()
    await expect(question.getByLabel('Your password')).toHaveCount(0)
    await expectAccessible(page)
    await confirm.click()
    await enterName()
    await expect(page.getByText('Confirmed. Now repeat the change.')).toBeVisible()
    expect(page.url()).toBe(`${url}/settings/security`)
    await expectAccessible(page)
    await make()
    await expect(page.getByRole('alertdialog', { name: 'Token created' })).toBeVisible()
    await expect(page.getByText('Confirmed. Now repeat the change.')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await signOut()

    provider.setGroups([])
    await signIn()
    await expect(app.row('Team')).toHaveCount(0)
    const elsewhere = await context.newPage()
    await elsewhere.goto(`${provider.issuer}/session/end`)
    await elsewhere.getByRole('button', { name: 'Sign out' }).click()
    await expect(elsewhere.getByText('Signed out')).toBeVisible()
    const began = performance.now()
    await expect(button).toBeVisible()
    expect(performance.now() - began).toBeLessThan(AT_ONCE)

    await provider.stop()
    await app.logIn(server.adminPassword)
    await app.settled()
    await page.goto('about:blank')
    await server.stop()
    await proxy?.stop()
    await rm(home, { recursive: true, force: true })
  })
}
