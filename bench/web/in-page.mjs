/**
 * Runs in the page before anything else: records in `watched` the browser's performance entries and the time of the
 * first row.
 */
export function watchPage() {
  const watched = { firstRow: undefined, shifts: 0, tasks: [], interactions: new Map(), busyAt: 0 }
  globalThis.watched = watched
  const observe = (type, use, more) =>
    new PerformanceObserver(list => list.getEntries().forEach(use)).observe({ type, buffered: true, ...more })
  observe('layout-shift', ({ hadRecentInput, value }) => {
    if (!hadRecentInput) watched.shifts += value
  })
  const noteBusy = ({ startTime, duration }) => {
    watched.busyAt = Math.max(watched.busyAt, startTime + duration)
  }
  observe('resource', noteBusy)
  observe('longtask', entry => {
    noteBusy(entry)
    watched.tasks.push({ startTime: entry.startTime, duration: entry.duration })
  })
  observe(
    'event',
    ({ interactionId, duration, name }) => {
      if (!interactionId) return
      const known = watched.interactions.get(interactionId)
      watched.interactions.set(interactionId, { name, duration: Math.max(duration, known?.duration ?? 0) })
    },
    { durationThreshold: 16 },
  )
  const sample = () => {
    if (!document.querySelector('[role=grid] [role=row][data-index]')) return requestAnimationFrame(sample)
    // Painted, and the event loop is free: a message gets through.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        watched.firstRow = performance.now()
      }
      port2.postMessage(undefined)
    })
  }
  requestAnimationFrame(sample)
}

/** Runs in the page: scrolls the grid by 400 px per frame. @returns milliseconds between frames */
export async function scrollFrames(milliseconds) {
  const grid = document.querySelector('[role=grid]')
  const frames = []
  const nextFrame = () => new Promise(requestAnimationFrame)
  await nextFrame()
  const end = performance.now() + milliseconds
  let last = await nextFrame()
  while (last < end) {
    grid.scrollTop += 400
    const now = await nextFrame()
    frames.push(now - last)
    last = now
  }
  return frames
}

/** Runs in the page: time in tasks beyond 50 ms each, from the first paint on (Total Blocking Time). */
export function blockingTime() {
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  const late = globalThis.watched.tasks.filter(task => task.startTime >= (paint?.startTime ?? 0))
  return late.reduce((sum, task) => sum + Math.max(0, task.duration - 50), 0)
}

/**
 * Runs in the page: lets `watched.first` be the milliseconds from the next event of a type until an element that matches
 * is painted, which none does before.
 */
export function timeFirst({ selector, type }) {
  globalThis.watched.first = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`no ${selector} within a minute`)), 60_000)
    const from = event => {
      const sample = () => {
        if (!document.querySelector(selector)?.checkVisibility()) return requestAnimationFrame(sample)
        requestAnimationFrame(() => resolve(performance.now() - event.timeStamp))
      }
      requestAnimationFrame(sample)
    }
    addEventListener(type, from, { capture: true, once: true })
  })
}
