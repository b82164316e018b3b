export default function CommissaryOrdersPage() {
  return null;
}
