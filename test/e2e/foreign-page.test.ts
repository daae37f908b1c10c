import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GOOD_PASSWORD, manager, newcomer, perm, send as post } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

const RIGHTS = perm('create', 'modify', 'rename', 'delete', 'download')

/** A site at another host, with one page. */
async function startSite(page: string) {
  const site = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(page))
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  return { url: `http://localhost:${(site.address() as AddressInfo).port}/`, stop: () => site.close() }
}

test('PAT-07 a form, an image and a script of another site change nothing with the Basic credentials that the browser sends', async ({
  page,
  server,
  corner,
}) => {
  const { token: session, name } = await newcomer(server, await manager(server), { perm: RIGHTS, scope: corner.path })
  const fields = { label: 'x', scopes: ['write'], current_password: GOOD_PASSWORD }
  const { token } = json(await post(server, 'POST', '/api/tokens', session, fields))
  const credentials = `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`
  expect((await call(server, '/api/resources/', { headers: { Authorization: credentials } })).status).toBe(200)
  const at = (file: string) => `${server.url}/api/resources/${file}`
  const site = await startSite(`<!doctype html><title>elsewhere</title>
    <form method="post" enctype="text/plain" action="${at('by-form.txt')}"><input name="a" value="b"><button>Go</button></form>
    <img alt="" src="${at('')}">`)
  await page.setExtraHTTPHeaders({ Authorization: credentials })
  await page.goto(site.url)

  const send = (url: string) => fetch(url, { method: 'POST', mode: 'no-cors', body: 'x' }).then(({ ok }) => ok, String)
  expect(await page.evaluate(send, at('by-script.txt'))).toBe('TypeError: Failed to fetch')
  const byForm = page.waitForResponse(at('by-form.txt'))
  await page.getByRole('button', { name: 'Go' }).click()
  const answer = await byForm
  const { authorization, 'sec-fetch-site': from } = await answer.request().allHeaders()
  expect([answer.status(), authorization, from]).toEqual([403, credentials, 'cross-site'])
  expect(json(await call(server, '/api/resources/', { token: session })).items).toEqual([])
  site.stop()
})
