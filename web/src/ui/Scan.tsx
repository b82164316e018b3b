import { Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useReturnFocus } from '#/ui/useReturnFocus';
import classes from './Scan.module.css';

interface Code {
  rawValue: string;
}

interface Detector {
  detect(from: HTMLVideoElement): Promise<Code[]>;
}

type DetectorMaker = new (options?: { formats: string[] }) => Detector;

function maker(): DetectorMaker | null {
  return (globalThis as { BarcodeDetector?: DetectorMaker }).BarcodeDetector ?? null;
}

/** Whether this browser can read barcodes and has a camera. */
export const canScan = (): boolean =>
  maker() !== null && Boolean(navigator.mediaDevices?.getUserMedia);

const LOOK_MS = 180;

interface Props {
  /** True when an item has this code. */
  onCode(code: string): boolean;
  onClose(): void;
}

function whyNot(problem: unknown): string {
  const name = problem instanceof DOMException ? problem.name : '';
  if (name === 'NotAllowedError') {
    return 'The camera is blocked. Allow it in your browser settings, then scan again.';
  }
  if (name === 'NotFoundError') return 'This device has no camera.';
  return 'The camera cannot be used now; perhaps another app has it.';
}

/** Shows the camera until it reads a code that `onCode` accepts. */
export function Scan({ onCode, onClose }: Props) {
  useReturnFocus();
  const video = useRef<HTMLVideoElement>(null);
  const [error, setError] = useState('');
  const [unknown, setUnknown] = useState('');
  const latestOnCode = useRef(onCode);
  latestOnCode.current = onCode;

  useEffect(() => {
    const Maker = maker();
    if (!Maker) return;
    let over = false;
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const detector = new Maker();
    let last = '';
    const look = async (): Promise<void> => {
      if (over) return;
      const codes = video.current ? await detector.detect(video.current).catch(() => []) : [];
      const code = codes[0]?.rawValue;
      if (over) return;
      // Report an unknown code once, however long the camera sees it.
      if (code && code !== last) {
        last = code;
        navigator.vibrate?.(60);
        if (latestOnCode.current(code)) return;
        setUnknown(code);
      }
      timer = setTimeout(() => void look(), LOOK_MS);
    };
    navigator.mediaDevices
      .getUserMedia({ video: { facingMode: 'environment' } })
      .then(async (camera) => {
        stream = camera;
        if (over) {
          for (const track of camera.getTracks()) track.stop();
          return;
        }
        if (video.current) {
          video.current.srcObject = camera;
          await video.current.play();
        }
        await look();
      })
      .catch((problem: unknown) => setError(whyNot(problem)));
    return () => {
      over = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, []);

  return (
    <Modal
      opened
      onClose={onClose}
      title="Scan a barcode"
      closeButtonProps={{ 'aria-label': 'Close', size: 44, iconSize: 20 }}
    >
      {error ? (
        <p role="alert">{error}</p>
      ) : (
        <>
          <video ref={video} className={classes.video} playsInline muted aria-label="Camera" />
          <p className={classes.message} role="status" data-unknown={unknown ? true : undefined}>
            {unknown
              ? `No item here has the code ${unknown}. Try another, or find it by its name.`
              : 'Point the camera at the barcode.'}
          </p>
        </>
      )}
    </Modal>
  );
}
