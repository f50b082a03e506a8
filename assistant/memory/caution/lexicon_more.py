"""The plainest words of orders in Russian, Ukrainian, Polish, Dutch, Turkish and Arabic."""

from __future__ import annotations

from assistant.memory.caution.concepts import Lexicon, Notion

ORDERS: Lexicon = {
    Notion.YOU: "ты вы тебе вам тебя вас ty ci sen siz انت أنت",
    Notion.YOUR: "твой твои твоя твою твоих ваш ваши вашу ваших twoje twój twoich twoją senin sistemini "
    "kurallarını",
    Notion.AI: "ии нейросет* чатбот* sztuczna_inteligencja yapay_zeka الذكاء_الاصطناعي",
    Notion.MACHINE: "ассистент* помощник* модель асистент* asystent* asistan* المساعد",
    Notion.USER: "пользовател* користувач* użytkownik* kullanıcı* المستخدم",
    Notion.ANYBODY: "пользовател* никому użytkownik* nikomu kullanıcı* المستخدم",
    Notion.PROMPT: "инструкци* указани* промпт* подсказк* інструкці* вказівк* instrukcj* poleceni* "
    "polecenia instructies talimat* komut* sistem_komutu التعليمات تعليمات الأوامر تعليماتك",
    Notion.LIMIT: "правил* ограничени* фильтр* обмежен* zasad* ograniczeń ograniczenia filtr* regels kural* "
    "kısıtlama* sınır* filtre* القواعد القيود قيود",
    Notion.SYSTEM: "системн* систем* systemow* sistem النظام",
    Notion.PRIOR: "предыдущ* прежни* все всех всё выше попередн* усі poprzedni* wszystkie vorige eerdere "
    "önceki tüm bütün السابقة جميع كل",
    Notion.EVERYTHING: "всё все wszystko alles her_şeyi كل_شيء",
    Notion.IGNORE: "игнорируй* забудь* забыть отмени* обойди ігноруй* забудь zignoruj* ignoruj* zapomnij* "
    "pomiń negeer vergeet yok_say görmezden unut تجاهل انس",
    Notion.WITHOUT: "без никаких нет bez żadnych zonder olmadan بدون بلا",
    Notion.UNBOUND: "без_ограничений без_фильтров bez_ograniczeń zonder_beperkingen sınırsız kısıtlamasız "
    "بدون_قيود",
    Notion.BECOME: "теперь_ты ты_теперь jesteś_teraz teraz_jesteś je_bent_nu artık_sen sen_artık أنت_الآن",
    Notion.REVEAL: "покажи* выведи раскрой* назови* напечатай* повтори* показати pokaż* ujawnij* wypisz* "
    "powtórz toon geef göster* açıkla* yazdır* أظهر اعرض اكشف",
    Notion.SEND: "отправь* перешли* отправить wyślij* prześlij* stuur gönder* ilet* أرسل",
    Notion.SECRET: "парол* секрет* данные_клиентов конфиденциальн* hasł* poufn* dane_klientów wachtwoorden "
    "parola* şifre* gizli كلمة_المرور كلمات_المرور سري",
    Notion.TELL: "отвечай* ответь* говори* скажи* рекомендуй* odpowiadaj* odpowiedz* mów polecaj antwoord "
    "cevapla* yanıtla* söyle* öner* أجب قل",
    Notion.NOT: "не никогда nie nigdy niet nooit asla لا",
    Notion.ALWAYS: "всегда zawsze altijd her_zaman daima دائما",
    Notion.NOW_ON: "с_этого_момента отныне теперь_всегда od_teraz vanaf_nu bundan_sonra من_الآن",
    Notion.MUST: "должен должна должны обязан musi musisz moet moeten malı zorunda يجب",
    Notion.OUTPUT: "ответ* ответе резюме odpowiedź odpowiedzi antwoord yanıt* cevap* الرد الإجابة",
    Notion.EACH: "каждый каждом каждого каждую każdej każdą elke her كل",
}
