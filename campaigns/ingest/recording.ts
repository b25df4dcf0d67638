/** Samples a second of a recording; mono, 16 bit. */
export const SAMPLE_RATE = 8000;
const HEADER_BYTES = 44;

/** A WAV file with these samples, each from -1 to 1. */
export function encodeWav(samples: Float64Array): Buffer {
  const data = Buffer.alloc(samples.length * 2);
  for (const [i, sample] of samples.entries()) data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32767), i * 2);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

/** The samples of a file made by `encodeWav`. Throws when it is something else. */
export function decodeWav(file: Buffer): Float64Array {
  const length = file.length >= HEADER_BYTES && file.toString('latin1', 0, 4) === 'RIFF' ? file.readUInt32LE(40) : -1;
  if (file.length !== HEADER_BYTES + length) throw new Error('the recording is no WAV file of 16-bit mono samples');
  return Float64Array.from({ length: length / 2 }, (_, i) => file.readInt16LE(HEADER_BYTES + i * 2) / 32767);
}

/** The part of the samples that falls to window `window` of `windows`, counted from 1. */
export function windowOf(samples: Float64Array, window: number, windows: number): Float64Array {
  const cut = (share: number) => Math.floor((samples.length * share) / windows);
  return samples.subarray(cut(window - 1), cut(window));
}
