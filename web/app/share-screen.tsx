import type { FilePath } from '../../shared/path.ts'
import PublicShare from '../features/public-share/public-share.tsx'
import { sharedViewer } from './viewers.ts'

/** `/share/*`: what a link shares. */
export default function ShareScreen({ hash, path }: { hash: string; path: FilePath }) {
  return <PublicShare key={hash} hash={hash} path={path} findViewer={sharedViewer} />
}
