import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'

/**
 * Registers the service worker of this base URL, and offers to reload when a new version waits. Does nothing where
 * browsers have none: on plain HTTP, and in some private windows.
 */
export async function registerWorker(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!workers) return
  const scope = `${pageConfig.BaseURL}/`
  const registration = await workers.register(`${scope}sw.js`, { scope }).catch(() => undefined)
  if (!registration) return
  if (registration.waiting) offerReload(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const next = registration.installing
    next?.addEventListener('statechange', () => {
      // The first worker of all takes over at once; there is nothing to reload.
      if (next.state === 'installed' && workers.controller) offerReload(next)
    })
  })
  const { active } = await workers.ready
  active?.postMessage(loadedAssets())
}

function offerReload(worker: ServiceWorker): void {
  const reload = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    worker.postMessage('take over')
  }
  notify('info', t('installed.updated'), { label: t('errors.reload'), run: reload })
}

/** The built files that this page has loaded, which it needs again without a connection. */
function loadedAssets(): string[] {
  const folder = `${pageConfig.StaticURL}/assets/`
  const addresses = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  return [...new Set(addresses.filter(path => path.startsWith(folder)))]
}
