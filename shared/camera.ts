/** Raw camera files: MIME types by extension. Each contains a JPEG image as well. */
export const CAMERA_FILES: Readonly<Record<string, string>> = {
  '.arw': 'image/x-sony-arw',
  '.cr2': 'image/x-canon-cr2',
  '.cr3': 'image/x-canon-cr3',
  '.dng': 'image/x-adobe-dng',
  '.erf': 'image/x-epson-erf',
  '.nef': 'image/x-nikon-nef',
  '.nrw': 'image/x-nikon-nrw',
  '.orf': 'image/x-olympus-orf',
  '.pef': 'image/x-pentax-pef',
  '.raf': 'image/x-fuji-raf',
  '.rw2': 'image/x-panasonic-rw2',
  '.sr2': 'image/x-sony-sr2',
  '.srw': 'image/x-samsung-srw',
}
