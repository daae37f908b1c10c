import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { expectAccessible, expectAccessibleInBoth, expectNoSidewaysScroll } from './axe.ts'
import { expect, test } from './fixtures.ts'

test.use({
  serverArgs: ['--disableExec=false', '--execSandbox=none'],
  permissions: ['clipboard-read', 'clipboard-write'],
})

const shell = (page: Page) => page.getByRole('region', { name: 'Terminal' })
const line = (page: Page) => shell(page).getByLabel('Command in')
const output = (page: Page) => page.getByRole('log', { name: 'Output' })
const stop = (page: Page) => shell(page).getByRole('button', { name: 'Stop' })

async function type(page: Page, command: string): Promise<void> {
  await expect(line(page)).toBeFocused()
  await page.keyboard.type(command)
  await page.keyboard.press('Enter')
}

/** A user who may run some commands in a folder of their own. */
test.beforeEach(async ({ server, corner, context }) => {
  const admin = await manager(server)
  const rights = perm('execute', 'create', 'delete')
  const commands = ['printf', 'pwd', 'sleep', 'seq']
  const { token } = await newcomer(server, admin, { scope: corner.path, perm: rights, commands })
  await context.addInitScript(value => localStorage.getItem('jwt') ?? localStorage.setItem('jwt', value), token)
  await mkdir(join(corner.disk, 'sub dir'))
  await writeFile(join(corner.disk, 'a.txt'), 'a')
})

test.use({ storageState: { cookies: [], origins: [] } })

test('a command is run, its output copied, and the terminal closed, with the mouse', async ({ app, page }) => {
  await app.openFolder('')
  await app.button('Terminal').click()
  await expect(output(page)).toContainText('Available commands: printf pwd sleep seq')
  await expect(output(page)).toContainText('Commands run without a sandbox')
  await line(page).fill(String.raw`printf 'one\ntwo\n'`)
  await page.keyboard.press('Enter')
  await expect(output(page)).toContainText('onetwo')
  await output(page)
    .getByRole('button', { name: /^Copy the output/ })
    .click()
  await expect(page.getByText('Output copied')).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('one\ntwo')
  await app.button('Close terminal').click()
  await expect(shell(page)).toHaveCount(0)
  await expect(app.button('Terminal')).toBeFocused()
})

test('the keyboard alone runs, recalls, clears and leaves; the focus returns to where it was', async ({
  app,
  page,
}) => {
  await app.openFolder('')
  await app.button('Terminal').focus()
  await page.keyboard.press('Enter')
  await type(page, 'pwd')
  await expect(output(page)).toContainText('/t-')
  await type(page, 'seq 3')
  await expect(output(page)).toContainText('123')
  await expect(line(page)).toBeFocused()
  await page.keyboard.type('half')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(line(page)).toHaveValue('pwd')
  await page.keyboard.press('ArrowDown')
  await expect(line(page)).toHaveValue('seq 3')
  await page.keyboard.press('ArrowDown')
  await expect(line(page)).toHaveValue('half')
  await page.keyboard.press('Control+l')
  await expect(output(page)).not.toContainText('seq 3')
  await expect(line(page)).toHaveValue('half')
  await page.keyboard.press('Control+a')
  await type(page, 'seq 2')
  await expect(output(page)).toContainText('12')
  await type(page, 'clear')
  await expect(output(page)).not.toContainText('seq 2')
  await type(page, 'exit')
  await expect(shell(page)).toHaveCount(0)
  await expect(app.button('Terminal')).toBeFocused()
})

test('while a command runs there is no input but a way to stop it', async ({ app, page }) => {
  await app.openFolder('')
  await app.button('Terminal').click()
  await type(page, 'sleep 60')
  await expect(line(page)).toBeDisabled()
  await expect(stop(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(output(page)).toContainText('Stopped.')
  await expect(line(page)).toBeFocused()
})

test('commands run in the current folder, and the terminal stays open during navigation', async ({ app, page }) => {
  await app.openFolder('')
  await app.button('Terminal').click()
  await type(page, 'pwd')
  await expect(stop(page)).toHaveCount(0)
  await app.row('sub dir').dblclick()
  await app.isAt('/files/sub dir/')
  await expect(shell(page).getByText('/sub dir', { exact: true })).toBeVisible()
  await line(page).fill('pwd')
  await page.keyboard.press('Enter')
  await expect(output(page)).toContainText(/\/t-\w+\/sub dir/)
})

test('XSS-06 a command that is not allowed is reported, colours are shown, and no output is parsed as HTML', async ({
  app,
  page,
}) => {
  await app.openFolder('')
  await app.button('Terminal').click()
  await type(page, 'rm -rf /')
  await expect(output(page)).toContainText("You aren't allowed to run this command.")
  await expect(output(page)).not.toContainText('Command not allowed.')
  await type(page, String.raw`printf '\033[31mred\033[0m <b>plain</b>\n'`)
  await expect(output(page).getByText('red', { exact: true })).toBeVisible()
  await expect(output(page)).toContainText('<b>plain</b>')
  const colors = await output(page)
    .getByText('red', { exact: true })
    .evaluate(element => [getComputedStyle(element).color, getComputedStyle(element.parentElement ?? element).color])
  expect(colors[0]).not.toBe(colors[1])
})

test('a flood of lines keeps the page usable, and its end in view', async ({ app, page }) => {
  await app.openFolder('')
  await app.button('Terminal').click()
  await type(page, 'seq 30000')
  await expect(output(page).getByText('30000', { exact: true })).toBeInViewport({ timeout: 20_000 })
  await expect(line(page)).toBeEnabled()
  expect(await output(page).evaluate(log => log.querySelectorAll('[dir=ltr] > div').length)).toBeLessThanOrEqual(10_000)
})

test('keys pressed in the terminal do nothing to the folder above it', async ({ app, page }) => {
  await app.openFolder('')
  await page.keyboard.press('Control+a')
  await app.button('Terminal').click()
  await output(page).focus()
  await page.keyboard.press('Delete')
  await page.keyboard.press('Alt+n')
  await expect(app.naming).toHaveCount(0)
  await expect(output(page)).toBeFocused()
})

test('the height is changed with keys, by dragging, and kept', async ({ app, page }) => {
  await app.openFolder('')
  await app.button('Terminal').click()
  const edge = page.getByRole('separator', { name: 'Height of the terminal' })
  const height = async () => (await shell(page).boundingBox())?.height ?? 0
  await expect.poll(height).toBe(280)
  await edge.focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(height).toBe(304)
  await expect(edge).toHaveAttribute('aria-valuenow', '304')
  const box = await edge.boundingBox()
  const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 4]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y - 60, { steps: 3 })
  await page.mouse.up()
  await expect.poll(height).toBeGreaterThan(350)
  const chosen = await height()
  await page.reload()
  await app.settled()
  await app.button('Terminal').click()
  await expect.poll(height).toBe(chosen)
})

test('a command refused by the server returns to the input, with the reason', async ({ app, page, context }) => {
  await app.openFolder('')
  await app.button('Terminal').click()
  await expect(line(page)).toBeFocused()
  await page.keyboard.type('pwd')
  await app.goOffline()
  await expect(shell(page).getByText('No connection')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(line(page)).toHaveValue('pwd')
  await context.setOffline(false)
  await expect(shell(page).getByText('No connection')).toHaveCount(0)
  await page.routeWebSocket('**/api/command/**', socket => socket.close({ code: 1011 }))
  await page.keyboard.press('Enter')
  await expect(output(page)).toContainText(/didn't accept the command|Connection lost/)
})

test('users without commands see no terminal', async ({ app, page, server, browser }) => {
  await app.openFolder('')
  await expect(app.button('Terminal')).toBeVisible()
  const { token } = await newcomer(server, await manager(server), { perm: perm('create') })
  const other = await browser.newPage()
  await other.addInitScript(value => localStorage.setItem('jwt', value), token)
  await other.goto(`${server.url}/files/`)
  await expect(other.getByRole('button', { name: 'Account', exact: false })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Terminal' })).toHaveCount(0)
  await other.close()
  await expect(page).toHaveURL(/files/)
})

test('the terminal has no axe violations, in light, in dark and on a window of 320 pixels', async ({ app, page }) => {
  await app.openFolder('')
  await app.button('Terminal').click()
  await expect(line(page)).toBeFocused()
  await expectAccessibleInBoth(page)
  const colors = Array.from(
    { length: 8 },
    (_, at) => String.raw`\033[3${at}mtext\033[9${at}mtext\033[0;4${at}mtext\033[0m`,
  )
  await type(page, `printf '${colors.join('')}'`)
  await expect(output(page)).toContainText('texttexttext')
  await type(page, 'sleep 60')
  await expect(stop(page)).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })

  test('a command is run and stopped, and the terminal closed', async ({ app, page }) => {
    await app.openFolder('')
    await app.button('Terminal').tap()
    await line(page).fill('sleep 60')
    await page.keyboard.press('Enter')
    await stop(page).tap()
    await expect(output(page)).toContainText('Stopped.')
    await expectNoSidewaysScroll(page)
    await app.button('Close terminal').tap()
    await expect(shell(page)).toHaveCount(0)
  })
})
