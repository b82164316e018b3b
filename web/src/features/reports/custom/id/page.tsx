export { Builder as default } from '../Builder';
