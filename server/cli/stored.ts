import type { StoredSettings } from '../config.ts'
import { peekSettings } from '../db/open.ts'
import type { ServerSettings } from '../features/settings/server-settings.ts'
import { serverSettingsIn } from '../features/settings/settings.store.ts'

/** What the database says of how its server starts (`config set`). */
export async function storedSettings(database: string): Promise<StoredSettings> {
  return fromServer(serverSettingsIn(await peekSettings(database)).server)
}

/** The same for commands that work on what is served: the folder served last counts as said. */
export async function storedForCommands(database: string): Promise<StoredSettings> {
  const { server, servedRoot } = serverSettingsIn(await peekSettings(database))
  const stored = fromServer(server)
  return { ...stored, root: stored.root || servedRoot }
}

function fromServer(server: ServerSettings): StoredSettings {
  const { root, baseURL, socket, port, address, log, tlsCert, tlsKey, tokenExpirationTime } = server
  return {
    root,
    baseURL,
    socket,
    port,
    address,
    log,
    cert: tlsCert,
    key: tlsKey,
    tokenExpirationTime,
    disableExec: server.enableExec ? 'false' : '',
    disableThumbnails: server.enableThumbnails ? '' : 'true',
    disablePreviewResize: server.resizePreview ? '' : 'true',
    disableTypeDetectionByHeader: server.typeDetectionByHeader ? '' : 'true',
    disableImageResolutionCalc: server.imageResolutionCalculation ? '' : 'true',
    followExternalSymlinks: server.followExternalSymlinks ? 'true' : '',
  }
}
