import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { startServer } from '../api/harness.ts'
import { asNobody, canBeNobody, NOBODY } from '../api/nobody.ts'
import { test as base, becomeOther, expect } from './fixtures.ts'

const test = base.extend<object, Pick<Parameters<Parameters<typeof base>[2]>[0], 'server'>>({
  server: [
    async ({ serverArgs: _ }, use, { project }) => {
      const server = await startServer({ ...(await asNobody()), base: project.metadata.base })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})
test.skip(!canBeNobody, 'only root can start a server with another account')

const REFUSED = "The operating system doesn't allow the server to do this. No rule is involved."

test('a folder that the server cannot read says so, and how an administrator can fix it', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'closed'))
  await writeFile(join(corner.disk, 'closed/inner.txt'), 'inner')
  await chmod(join(corner.disk, 'closed'), 0o700)
  await app.open(`/files${corner.path}/closed/`)
  await expect(page.getByText(REFUSED)).toBeVisible()
  await expect(page.getByText('inner')).toHaveCount(0)
  await page.getByRole('button', { name: 'Explain these permissions' }).click()
  const answer = page.getByRole('dialog').getByRole('status')
  await expect(answer).toContainText('This is denied.')
  await expect(answer).toContainText(REFUSED)
  await expect(answer).toContainText('Owner: root (0). Mode: 0700.')
  await expect(answer).toContainText(`The server runs as nobody (${NOBODY}).`)
  await expect(answer).toContainText(`setfacl -R -m u:${NOBODY}:rX ${corner.disk}/closed`)
})

test('a file that the server cannot read says so, and why', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'closed.txt'), 'closed', { mode: 0o600 })
  await app.open(`/files${corner.path}/closed.txt`)
  await expect(page.getByText(REFUSED)).toBeVisible()
  await page.getByRole('button', { name: 'Explain these permissions' }).click()
  const answer = page.getByRole('dialog').getByRole('status')
  await expect(answer).toContainText('This is denied.')
  await expect(answer).toContainText('Owner: root (0). Mode: 0600.')
})

test('its user sees the numeric owner and mode, and no account of the host', async ({ app, page, corner, server }) => {
  await mkdir(join(corner.disk, 'closed'))
  await chmod(join(corner.disk, 'closed'), 0o700)
  const user = await newcomer(server, await manager(server), { scope: corner.path, perm: perm('download') })
  await becomeOther(page, user.token)
  await app.open('/files/closed/')
  await expect(page.getByText(REFUSED)).toBeVisible()
  await page.getByRole('button', { name: 'Explain these permissions' }).click()
  const answer = page.getByRole('dialog').getByRole('status')
  await expect(answer).toContainText('Owner: 0. Mode: 0700.')
  await expect(answer).toContainText('An administrator can change that.')
  await expect(answer).not.toContainText(/nobody|setfacl|root/)
})
