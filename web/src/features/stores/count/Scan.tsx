import { Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
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

/** Whether this browser reads codes by itself and has a camera to do it with. */
export const canScan = (): boolean =>
  maker() !== null && Boolean(navigator.mediaDevices?.getUserMedia);

const LOOK_MS = 180;

interface Props {
  onCode(code: string): void;
  onClose(): void;
}

/** The camera, until it sees a code. */
export function Scan({ onCode, onClose }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [error, setError] = useState('');
  const heard = useRef(onCode);
  heard.current = onCode;

  useEffect(() => {
    const Maker = maker();
    if (!Maker) return;
    let over = false;
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const detector = new Maker();
    const look = async (): Promise<void> => {
      if (over) return;
      const codes = video.current ? await detector.detect(video.current).catch(() => []) : [];
      const code = codes[0]?.rawValue;
      if (over) return;
      if (code) {
        navigator.vibrate?.(60);
        heard.current(code);
        return;
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
      .catch(() => setError('The camera cannot be used. Allow it in the settings of the browser.'));
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
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error ? (
        <p role="alert">{error}</p>
      ) : (
        <video ref={video} className={classes.video} playsInline muted aria-label="Camera" />
      )}
    </Modal>
  );
}
