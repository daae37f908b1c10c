import { truncate, utimes, writeFile } from 'node:fs/promises'
import type { Browser } from '@playwright/test'
import { NOW } from './sample.ts'
import { landscape } from './scenery.ts'

const SIZE = 44 * 1024 * 1024
/** Minimum length of a recording, in base64 characters. */
const LEAST = 4000

/** Records a video in the browser. Padding gives it the same size on every run. */
export async function makeVideo(browser: Browser, path: string): Promise<void> {
  const page = await browser.newPage()
  const still = (await landscape('sea', 3, { width: 960, height: 540 })).toString('base64')
  let video = ''
  // On a busy machine the recording can be empty.
  for (let attempt = 1; video.length < LEAST && attempt <= 5; attempt++) video = await page.evaluate(record, still)
  await page.close()
  await writeFile(path, Buffer.from(video, 'base64'))
  await truncate(path, SIZE)
  const time = new Date(NOW.getTime() - 12 * 86_400_000)
  await utimes(path, time, time)
}

/** Runs in the page. @returns a video of one second, in base64 */
async function record(still: string): Promise<string> {
  const image = new Image()
  image.src = `data:image/jpeg;base64,${still}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  const paint = canvas.getContext('2d')
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' })
  const parts: Blob[] = []
  recorder.ondataavailable = event => parts.push(event.data)
  const ended = new Promise(resolve => {
    recorder.onstop = resolve
  })
  recorder.start()
  const timer = setInterval(() => paint?.drawImage(image, 0, 0), 40)
  setTimeout(() => recorder.stop(), 1200)
  await ended
  clearInterval(timer)
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}
