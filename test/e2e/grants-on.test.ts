import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Grant } from '../../shared/api/grants.ts'
import { manager, newcomer, perm, send } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { becomeOther, expect, test } from './fixtures.ts'

test('GRA-03 a recipient who may share shares a folder on without links, and ends that; the owner sees it', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  const admin = await manager(server)
  const made = async () => {
    const scope = `/${uniqueName('home')}`
    await mkdir(join(server.root, scope))
    return newcomer(server, admin, { scope, perm: perm('create', 'download', 'share') })
  }
  const [bob, carl] = [await made(), await made()]
  await mkdir(join(corner.disk, 'plans'))
  const path = `${corner.path}/plans`
  const grant = { path, to: { kind: 'user', id: String(bob.id) }, rights: ['download', 'share'] }
  expect((await send(server, 'POST', '/api/grants', token, grant)).status).toBe(201)
  await becomeOther(page, bob.token)
  await app.open('/files/Shared with me/')
  await app.row('plans').click()
  await app.button('Share').click()
  await app.dialog.getByLabel('Name of a user or group').fill(carl.name)
  await expect(app.dialog.getByRole('button', { name: `Share ${carl.name}` })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Shared with ${carl.name}`)).toBeVisible()
  await expect(app.dialog.getByRole('heading', { name: 'Links' })).toHaveCount(0)
  await expectAccessibleInBoth(page)
  const sharedBy = async () =>
    json(await send(server, 'GET', `/api/grants?path=${encodeURIComponent(path)}`, token)).map(({ by }: Grant) => by)
  expect(await sharedBy()).toEqual([undefined, bob.name])
  await app.dialog.getByRole('button', { name: `Stop sharing with ${carl.name}` }).click()
  await expect(page.getByText('Sharing ended')).toBeVisible()
  expect(await sharedBy()).toEqual([undefined])
})
