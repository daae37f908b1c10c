import { answered, settle } from './loads.mjs'
import { LARGE_TEXT } from './stage.mjs'

/** Goal 19: a text of 50 MB, from its last byte to the image of it, and a key typed into it. @param note takes a key and a figure */
export async function measureEditor(stage, note) {
  const visit = await stage.visit()
  const { page } = visit
  await page.addInitScript(watchEditor)
  await page.goto(`${stage.url}/files/${LARGE_TEXT}?as=text`, { waitUntil: 'commit' })
  const shown = await page.waitForFunction(() => globalThis.editorShown)
  const came = await page.evaluate(
    name =>
      performance.getEntriesByType('resource').findLast(({ name: url }) => url.includes(`/api/raw/${name}`))
        .responseEnd,
    LARGE_TEXT,
  )
  note('text opens', (await shown.jsonValue()) - came)
  await settle(page)
  await page.getByRole('textbox', { name: /^Contents of / }).click()
  // The colours of the language, and what else comes along with the first key, are there.
  for (const key of ['a', 'b', 'c']) await answered(page, () => page.keyboard.press(key))
  for (const key of ['d', 'e', 'f']) note('text key', (await answered(page, () => page.keyboard.press(key)))[0])
  await visit.leave()
}

/** Notes when the first lines of a text have been painted. Runs in the page. */
function watchEditor() {
  const isShown = root =>
    root.querySelector('.cm-line') !== null ||
    [...root.querySelectorAll('*')].some(({ shadowRoot }) => shadowRoot && isShown(shadowRoot))
  const sample = () => {
    if (!document.body || !isShown(document)) return requestAnimationFrame(sample)
    // The frame in which they are painted comes next.
    requestAnimationFrame(() =>
      setTimeout(() => {
        globalThis.editorShown = performance.now()
      }),
    )
  }
  sample()
}
